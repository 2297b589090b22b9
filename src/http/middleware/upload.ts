// A file sent as multipart/form-data (RFC 7578): the part "file" and the text part "options". Other
// parts are ignored.
import { Busboy, type BusboyInstance } from "@fastify/busboy";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { LIMITS } from "../../contract/request/limits.ts";
import { RequestError } from "../../errors.ts";
import { toStorable } from "./storable-text.ts";

/** The contents of a form; missing parts are undefined. */
export class UploadForm {
  readonly file: UploadedFile | undefined;
  readonly options: string | undefined;

  constructor(file: UploadedFile | undefined, options: string | undefined) {
    this.file = file;
    this.options = options;
  }
}

export type UploadedFile = {
  /** The caller's file name without folders. */
  readonly name: string;
  readonly contentType: string;
  readonly bytes: Uint8Array;
};

const OPTIONS_BYTES = 1024 * 1024;
const MAX_UPLOAD_MEGABYTES = LIMITS.uploadBytes / (1024 * 1024);

/** Reads forms on the routes that accept files and rejects them on all others. */
export function readUploads(server: FastifyInstance, paths: ReadonlySet<string>): void {
  server.addContentTypeParser("multipart/form-data", async (request: FastifyRequest) => {
    if (!paths.has(request.routeOptions.url ?? "")) {
      throw new RequestError(
        "UNSUPPORTED_MEDIA_TYPE",
        "The request body must be JSON: send Content-Type: application/json.",
      );
    }
    return await readForm(request);
  });
}

async function readForm(request: FastifyRequest): Promise<UploadForm> {
  const { promise, resolve, reject } = Promise.withResolvers<UploadForm>();
  const form = openForm(request);
  let file: UploadedFile | undefined;
  let options: string | undefined;
  form.on("file", (field, stream, name, _encoding, contentType) => {
    // A form that ends within a file emits the error on the file only; without a listener it would
    // end the process.
    stream.on("error", (error: Error) => reject(createMalformedError(error)));
    if (field !== "file" || file !== undefined) {
      stream.resume();
      return;
    }
    const chunks: Buffer[] = [];
    stream.on("data", (chunk: Buffer) => chunks.push(chunk));
    stream.on("limit", () => reject(createTooLargeError()));
    stream.on("end", () => {
      file = { name: readBaseName(name), contentType, bytes: Buffer.concat(chunks) };
    });
  });
  form.on("field", (field, value, _nameCut, valueCut) => {
    if (field !== "options") return;
    if (valueCut) reject(new RequestError("BAD_REQUEST", "The options are larger than 1 MB."));
    options = value;
  });
  form.on("error", (error) => reject(createMalformedError(error)));
  form.on("finish", () => resolve(new UploadForm(file, options)));
  request.raw.once("error", (error) => reject(createMalformedError(error)));
  request.raw.once("aborted", () => reject(createMalformedError(new Error("aborted"))));
  request.raw.pipe(form);
  try {
    const read = await promise;
    toStorable(read.file?.name, "the file name");
    return read;
  } finally {
    request.raw.unpipe(form);
    request.raw.resume();
  }
}

function openForm(request: FastifyRequest): BusboyInstance {
  const contentType = request.headers["content-type"] ?? "";
  try {
    return new Busboy({
      headers: { "content-type": contentType },
      limits: {
        fileSize: LIMITS.uploadBytes,
        files: 4,
        fields: 20,
        parts: 24,
        fieldSize: OPTIONS_BYTES,
      },
    });
  } catch (error) {
    throw createMalformedError(error);
  }
}

const readBaseName = (name: string | undefined): string =>
  (name ?? "").split(/[\\/]/).at(-1)?.slice(0, 500) || "upload";

const createTooLargeError = (): RequestError =>
  new RequestError(
    "BAD_REQUEST",
    `The uploaded file is larger than ${MAX_UPLOAD_MEGABYTES}MB, the limit for uploads.`,
  );

const createMalformedError = (cause: unknown): RequestError =>
  new RequestError("BAD_REQUEST", "The multipart form of the request cannot be read.", { cause });
