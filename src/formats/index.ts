// Registry of output formats. The type requires an entry for every format of the contract. Formats
// are derived in this order. None depends on it, but those that read the whole page come before
// those that read its content, because then the page is parsed once (page-tree.ts).
import type { EvidenceOptions } from "../browser/page/visit.ts";
import type { Format, FormatType } from "../contract/page/formats.ts";
import { attributes } from "./attributes.ts";
import { audio } from "./audio.ts";
import { branding } from "./branding.ts";
import { changeTracking } from "./change-tracking.ts";
import { feed } from "./feed.ts";
import type { FormatDeclaration, FormatNeed } from "./format.ts";
import { menu, product, video } from "./hosted.ts";
import { html } from "./html.ts";
import { images } from "./images.ts";
import { deterministicJson, json } from "./json.ts";
import { links } from "./links.ts";
import { markdown } from "./markdown.ts";
import { highlights, query, question } from "./passages.ts";
import { rawBase64 } from "./raw-base64.ts";
import { rawHtml } from "./raw-html.ts";
import { screenshot } from "./screenshot.ts";
import { summary } from "./summary.ts";

const REGISTRY: { readonly [T in FormatType]: FormatDeclaration<T> } = {
  rawHtml,
  rawBase64,
  images,
  attributes,
  feed,
  json,
  deterministicJson,
  screenshot,
  branding,
  audio,
  html,
  links,
  summary,
  question,
  query,
  highlights,
  markdown,
  changeTracking,
  product,
  menu,
  video,
};

export const FORMATS: readonly FormatDeclaration[] = Object.values(REGISTRY);

export type RequestedFormat = { readonly format: Format; readonly declaration: FormatDeclaration };

/** The formats of a request with their declarations, in the order of the request. */
export const listDeclared = (formats: readonly Format[]): RequestedFormat[] =>
  formats.map((format) => ({ format, declaration: REGISTRY[format.type] as FormatDeclaration }));

/** True when a page without text can have the format of this name. */
export const isWithoutText = (name: string): boolean =>
  FORMATS.some((declaration) => declaration.name === name && declaration.isWithoutText === true);

/** Names of the requested formats with this need. */
export const selectNeeding = (need: FormatNeed, formats: readonly Format[]): FormatType[] =>
  listDeclared(formats).flatMap(({ declaration: { name, needs } }) =>
    needs.includes(need) ? [name] : [],
  );

/** Joins the browser options of all formats. */
export function collectEvidenceOptions(formats: readonly Format[]): EvidenceOptions {
  const wanted = listDeclared(formats).map(
    ({ format, declaration }) => declaration.evidence?.(format) ?? {},
  );
  return Object.assign({}, ...wanted, {
    probes: wanted.flatMap(({ probes = [] }) => probes),
  }) as EvidenceOptions;
}
