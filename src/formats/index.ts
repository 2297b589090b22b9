// The registry of output formats made from a page. The type demands an entry for every format the contract names and
// unavailable.ts does not. The order is the order of work: what reads the original page comes before what prunes it.
import { attributes } from "./attributes.ts";
import { audio } from "./audio.ts";
import { branding } from "./branding.ts";
import type { PageFormat } from "./format.ts";
import { html } from "./html.ts";
import { json } from "./json.ts";
import { images } from "./images.ts";
import { links } from "./links.ts";
import { markdown } from "./markdown.ts";
import { highlights, query, question } from "./passages.ts";
import { rawBase64 } from "./raw-base64.ts";
import { rawHtml } from "./raw-html.ts";
import { summary } from "./summary.ts";
import type { PageFormatType } from "./unavailable.ts";

const REGISTRY: Record<PageFormatType, PageFormat> = {
  rawHtml,
  rawBase64,
  images,
  attributes,
  json,
  deterministicJson: json,
  branding,
  audio,
  html,
  links,
  summary,
  question,
  query,
  highlights,
  markdown,
};

export const FORMATS = Object.entries(REGISTRY) as ReadonlyArray<
  readonly [PageFormatType, PageFormat]
>;
