// A file and its options as multipart/form-data (RFC 7578), serialized at once, because a custom
// `fetch` need not support FormData.

export type UploadedFile = {
  /** The server derives the type from its extension. */
  readonly filename: string;
  readonly data: Uint8Array | string;
  readonly contentType?: string;
};

export type Form = { readonly contentType: string; readonly bytes: Uint8Array<ArrayBuffer> };

/** Encodes the form with the parts `file` and `options`. */
export function encodeUpload(file: UploadedFile, options: object): Form {
  const encoder = new TextEncoder();
  const data = typeof file.data === "string" ? encoder.encode(file.data) : file.data;
  const boundary = `quarry-${crypto.randomUUID()}`;
  const name = file.filename
    .replaceAll(/[\r\n]/g, " ")
    .replaceAll("\\", "/")
    .replaceAll('"', "%22");
  const type = file.contentType?.replaceAll(/[\r\n]/g, " ") ?? "application/octet-stream";
  const head = encoder.encode(
    `--${boundary}\r\nContent-Disposition: form-data; name="options"\r\n\r\n${JSON.stringify(options)}\r\n--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: ${type}\r\n\r\n`,
  );
  const tail = encoder.encode(`\r\n--${boundary}--\r\n`);
  const bytes = new Uint8Array(head.length + data.length + tail.length);
  bytes.set(head, 0);
  bytes.set(data, head.length);
  bytes.set(tail, head.length + data.length);
  return { contentType: `multipart/form-data; boundary=${boundary}`, bytes };
}
