// Formats of the contract that this server version cannot produce, and the message for the caller.
// Separate from index.ts, so that the main thread need not load the code of the worker threads.
import type { FormatType } from "../contract/page/formats.ts";

const hostedOnly = (name: string): string =>
  `The ${name} format exists only on hosted services of this API family.`;

export const UNAVAILABLE_FORMATS = {
  video: hostedOnly("video"),
  product: hostedOnly("product"),
  menu: hostedOnly("menu"),
} as const satisfies Partial<Record<FormatType, string>>;

/**
 * Produced by the browser, or by comparison with stored versions; not derived from the page alone.
 */
type PictureFormatType = "screenshot" | "changeTracking";

export type PageFormatType = Exclude<
  FormatType,
  keyof typeof UNAVAILABLE_FORMATS | PictureFormatType
>;

/** Returns the reason why a format is unavailable, or undefined if it is available. */
export function whyUnavailable(type: FormatType): string | undefined {
  return (UNAVAILABLE_FORMATS as Partial<Record<FormatType, string>>)[type];
}
