import type { Element } from "domhandler";
import { readAttribute } from "../parse/tree.ts";

const SMALL = /^\s*[01](?:px)?\s*$/;
const COUNTING =
  /\/(?:tr|pixel|collect|track(?:ing)?|b\/ss|count(?:er)?)[/?]|facebook\.com\/tr|doubleclick|scorecardresearch|quantserve|googletagmanager|\/\/(?:[a-z0-9-]+\.)*statcounter\.com\//i;

/** True if the image only counts visits. */
export function isTrackingPixel(image: Element): boolean {
  return (
    SMALL.test(readAttribute(image, "width")) ||
    SMALL.test(readAttribute(image, "height")) ||
    /display:\s*none/i.test(readAttribute(image, "style")) ||
    COUNTING.test(readAttribute(image, "src"))
  );
}
