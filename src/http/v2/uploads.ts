import type { FastifyInstance } from "fastify";
import type { Readable } from "node:stream";
import type { Endpoint } from "../../contract/endpoints/endpoint.ts";
import { LIMITS } from "../../contract/request/limits.ts";
import { RequestError } from "../../errors.ts";
import type { UploadReferences } from "../../scrape/upload-references.ts";
import { checkFileName } from "./parse.ts";
import type { Call, Handlers } from "../route.ts";
import type { PublicAddress } from "../public-address.ts";

export type UploadRouteParts = {
  readonly uploads: UploadReferences;
  readonly address: PublicAddress;
};

type UploadUrlRequest = { readonly filename: string; readonly contentType?: string };

/** `POST /v2/parse/upload-url`: returns an upload URL and the reference for the file. */
export function createUploadHandlers({ uploads, address }: UploadRouteParts): Handlers {
  return {
    "POST /v2/parse/upload-url": async ({ body, identity, request }: Call<UploadUrlRequest>) => {
      checkFileName(body.filename);
      const contentType = body.contentType ?? "application/octet-stream";
      const name = body.filename.split(/[\\/]/).at(-1) ?? "";
      const file = await uploads.announce({ name, contentType }, identity);
      const query = new URLSearchParams({
        expires: String(file.expiresAt),
        signature: file.signature,
      });
      return {
        success: true,
        data: {
          uploadUrl: address(request, `/v2/parse/upload/${file.id}?${query.toString()}`),
          uploadRef: file.uploadRef,
          method: "PUT",
          headers: { "Content-Type": contentType },
          expiresAt: new Date(file.expiresAt).toISOString(),
          maxSizeBytes: LIMITS.uploadBytes,
        },
      };
    },
  };
}

type UploadRoute = {
  Params: { readonly id: string };
  Querystring: Readonly<Record<string, unknown>>;
};

/**
 * Receives the bytes of a registered file with any Content-Type. The signed URL is the permission;
 * no key is needed.
 */
export function receiveUploads(
  server: FastifyInstance,
  endpoint: Pick<Endpoint, "path">,
  uploads: UploadReferences,
): void {
  void server.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", async () => undefined);
    scope.put<UploadRoute>(
      endpoint.path,
      { onRequest: async ({ params, query }) => uploads.admit(params.id, query) },
      async ({ params, headers, raw }) => {
        const said = Number(headers["content-length"] ?? 0);
        if (said > LIMITS.uploadBytes) throw createTooLargeError();
        await uploads.receive(params.id, await readAll(raw));
        return { success: true };
      },
    );
  });
}

async function readAll(stream: Readable): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > LIMITS.uploadBytes) throw createTooLargeError();
    chunks.push(chunk);
  }
  if (size === 0) throw new RequestError("BAD_REQUEST", "Uploaded file must not be empty.");
  return Buffer.concat(chunks);
}

const createTooLargeError = (): RequestError =>
  new RequestError("BAD_REQUEST", "The uploaded file is larger than 50MB, the limit for uploads.");
