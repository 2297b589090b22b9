// Files behind signed links: screenshots, PDFs and audio of pages. The link works without a key
// until it expires.
import type { FastifyInstance } from "fastify";
import { RequestError } from "../errors.ts";
import type { BlobLink, BlobLinks } from "../store/blobs/blob-url.ts";
import type { StoredFiles } from "../store/blobs/stored-files.ts";

export type FileParts = {
  readonly store: () => Promise<{ readonly files: StoredFiles; readonly blobLinks: BlobLinks }>;
};

/** Types that a browser may display; others are downloaded. */
const SHOWN = new Map([
  ["image/png", "png"],
  ["image/jpeg", "jpg"],
  ["audio/mpeg", "mp3"],
]);

/**
 * Serves `GET /blobs/:ref`: 403 for a forged, altered or expired link, 404 when the file is gone.
 */
export function serveFiles(server: FastifyInstance, { store }: FileParts): void {
  server.get<{ Params: { ref: string }; Querystring: Record<string, unknown> }>(
    "/blobs/:ref",
    async ({ params, query }, reply) => {
      const { files, blobLinks } = await store();
      const link = blobLinks.verify(params.ref, query);
      if (link === undefined)
        throw new RequestError("FORBIDDEN", "The link is not valid, or it has expired.");
      const bytes = await files.load(link.ref);
      if (bytes === undefined) throw new RequestError("NOT_FOUND", "The file is gone.");
      return await reply.headers(buildHeaders(link)).send(Buffer.from(bytes));
    },
  );
}

/**
 * The bytes come from a foreign page: they are displayed as a picture, played, or downloaded, and
 * nothing in them runs.
 */
function buildHeaders({ ref, mimeType, expiresAt }: BlobLink): Record<string, string> {
  const extension = SHOWN.get(mimeType);
  const name = `${ref.slice(0, 16)}.${extension ?? mimeType.replace(/^.*\//, "")}`;
  const seconds = Math.max(0, Math.floor((expiresAt - Date.now()) / 1_000));
  return {
    "content-type": mimeType,
    "content-disposition": `${extension === undefined ? "attachment" : "inline"}; filename="${name}"`,
    "cache-control": `private, max-age=${seconds}, immutable`,
    "x-content-type-options": "nosniff",
    "content-security-policy": "default-src 'none'; sandbox",
    "cross-origin-resource-policy": "cross-origin",
    "referrer-policy": "no-referrer",
  };
}
