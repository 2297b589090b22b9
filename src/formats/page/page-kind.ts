/** "feed" is detected by content, see view.ts. */
export type PageKind = "html" | "feed" | "json" | "xml" | "text" | "image" | "pdf" | "binary";

/** Returns the kind of body for a MIME essence. */
export function detectPageKind(mimeType: string): Exclude<PageKind, "feed"> {
  if (mimeType === "text/html" || mimeType === "application/xhtml+xml") return "html";
  if (mimeType === "application/json" || mimeType === "text/json" || mimeType.endsWith("+json"))
    return "json";
  if (mimeType.startsWith("image/")) return "image";
  if (mimeType === "application/pdf") return "pdf";
  if (mimeType === "application/xml" || mimeType === "text/xml" || mimeType.endsWith("+xml"))
    return "xml";
  if (mimeType.startsWith("text/") || TEXT_TYPES.has(mimeType)) return "text";
  return "binary";
}

const TEXT_TYPES = new Set([
  "application/javascript",
  "application/ecmascript",
  "application/x-javascript",
  "application/ndjson",
  "application/x-ndjson",
  "application/yaml",
  "application/x-yaml",
  "application/toml",
  "application/sql",
  "application/x-sh",
  "application/graphql",
]);

/** True for kinds whose body is decoded to characters. */
export function isTextKind(kind: PageKind): boolean {
  return kind === "html" || kind === "json" || kind === "xml" || kind === "text";
}
