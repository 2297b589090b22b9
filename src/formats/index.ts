// Registry of output formats derived from a page. The type requires an entry for every format of
// the contract that unavailable.ts does not list. The order is the execution order: formats that
// read the original page run before those that prune it.
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
