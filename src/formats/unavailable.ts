// The formats of the contract that this version of the server cannot make, and what the caller is told. Apart from
// index.ts, so that the main thread can answer without loading what the worker threads need.
import type { FormatType } from "../contract/formats.ts";

const later = (name: string): string =>
  `The ${name} format is not part of this version of the server.`;
const needsBrowser = (name: string): string =>
  `The ${name} format needs a browser engine, which is not part of this version of the server.`;
const hostedOnly = (name: string): string =>
  `The ${name} format exists only on hosted services of this API family.`;

export const UNAVAILABLE_FORMATS = {
  summary: later("summary"),
  json: later("json"),
  deterministicJson: later("deterministicJson"),
  changeTracking: later("changeTracking"),
  question: later("question"),
  highlights: later("highlights"),
  query: later("query"),
  audio: later("audio"),
  screenshot: needsBrowser("screenshot"),
  branding: needsBrowser("branding"),
  video: hostedOnly("video"),
  product: hostedOnly("product"),
  menu: hostedOnly("menu"),
} as const satisfies Partial<Record<FormatType, string>>;

/** Made from what a browser saw of a page, where the server has one. */
type BrowserFormatType = "branding";

export type PageFormatType =
  | Exclude<FormatType, keyof typeof UNAVAILABLE_FORMATS>
  | BrowserFormatType;

/** Why a format cannot be had, or undefined when it can. */
export function whyUnavailable(type: FormatType): string | undefined {
  return (UNAVAILABLE_FORMATS as Partial<Record<FormatType, string>>)[type];
}
