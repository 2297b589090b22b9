import type { DeriveInput } from "../src/formats/derivation.ts";

/** Converts a page with default options: the Markdown of its main content. */
export const deriveInput = (
  html: string | Uint8Array,
  more: Partial<DeriveInput> = {},
): DeriveInput => ({
  body: typeof html === "string" ? new TextEncoder().encode(html) : html,
  text: true,
  contentType: "text/html; charset=utf-8",
  mimeType: "text/html",
  url: "https://site.example/page",
  formats: [{ type: "markdown" }],
  onlyMainContent: true,
  includeTags: [],
  excludeTags: [],
  removeBase64Images: true,
  explain: false,
  discover: false,
  linkHeader: "",
  ...more,
});
