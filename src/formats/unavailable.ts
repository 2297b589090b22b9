// The formats of the contract that this version of the server cannot make, and what the caller is told. Apart from
// index.ts, so that the main thread can answer without loading what the worker threads need.
import type { FormatType } from "../contract/page/formats.ts";

const hostedOnly = (name: string): string =>
  `The ${name} format exists only on hosted services of this API family.`;

export const UNAVAILABLE_FORMATS = {
  video: hostedOnly("video"),
  product: hostedOnly("product"),
  menu: hostedOnly("menu"),
} as const satisfies Partial<Record<FormatType, string>>;

/** Brought whole by the browser, or found by comparing with what was kept: nothing is computed from the page alone. */
type PictureFormatType = "screenshot" | "changeTracking";

export type PageFormatType = Exclude<
  FormatType,
  keyof typeof UNAVAILABLE_FORMATS | PictureFormatType
>;

/** Why a format cannot be had, or undefined when it can. */
export function whyUnavailable(type: FormatType): string | undefined {
  return (UNAVAILABLE_FORMATS as Partial<Record<FormatType, string>>)[type];
}
