// The registry of output formats. The type demands an entry for every format the contract names.
// The order is the order of work: what reads the original page comes before what prunes it.
import { attributes } from "./attributes.ts";
import type { FormatDefinition, FormatType } from "./format.ts";
import { html } from "./html.ts";
import { images } from "./images.ts";
import { links } from "./links.ts";
import { markdown } from "./markdown.ts";
import { rawBase64 } from "./raw-base64.ts";
import { rawHtml } from "./raw-html.ts";

const needsModel = (name: string): FormatDefinition => ({
  kind: "unavailable",
  reason: `The ${name} format is not part of this version of the server.`,
});
const needsBrowser = (name: string): FormatDefinition => ({
  kind: "unavailable",
  reason: `The ${name} format needs a browser engine, which is not part of this version of the server.`,
});
const hostedOnly = (name: string): FormatDefinition => ({
  kind: "unavailable",
  reason: `The ${name} format exists only on hosted services of this API family.`,
});

const REGISTRY: Record<FormatType, FormatDefinition> = {
  rawHtml,
  rawBase64,
  images,
  attributes,
  html,
  links,
  markdown,
  summary: needsModel("summary"),
  json: needsModel("json"),
  deterministicJson: needsModel("deterministicJson"),
  changeTracking: needsModel("changeTracking"),
  question: needsModel("question"),
  highlights: needsModel("highlights"),
  query: needsModel("query"),
  audio: needsModel("audio"),
  video: hostedOnly("video"),
  product: hostedOnly("product"),
  menu: hostedOnly("menu"),
  screenshot: needsBrowser("screenshot"),
  branding: needsBrowser("branding"),
};

export const FORMATS: ReadonlyArray<readonly [FormatType, FormatDefinition]> = Object.entries(
  REGISTRY,
) as Array<[FormatType, FormatDefinition]>;

/** The registry entry of one format. */
export function formatDefinition(type: FormatType): FormatDefinition {
  return REGISTRY[type];
}
