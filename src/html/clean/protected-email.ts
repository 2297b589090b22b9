// Email addresses that Cloudflare obfuscates: a hexadecimal string whose first byte is the XOR key
// of all other bytes. Browsers restore them by script; this does the same.
import type { Element } from "domhandler";
import { mayHaveUncommon, createText } from "../parse/nodes.ts";
import { readAttribute, foldSpace, setChildren, readText } from "../parse/tree.ts";

const SCRAMBLED_LINK = /\/cdn-cgi\/l\/email-protection#([0-9a-f]{6,2000})$/i;
/** The letter before the last "#" of such a link. Few other links have it there. */
const BEFORE_MARK = "n".charCodeAt(0);
const ADDRESS = /^[^\s@<>"]{1,256}@[^\s@<>"]{1,1000}$/;

/**
 * Restores an obfuscated address: the text of the element that carries it and the target of a link
 * to it.
 */
export function revealEmail(element: Element): void {
  const hidden = mayHaveUncommon(element) ? readAttribute(element, "data-cfemail") : "";
  const shown = hidden === "" ? undefined : decodeAddress(hidden);
  if (shown !== undefined) {
    showAddress(element, shown);
    delete element.attribs["data-cfemail"];
  }
  if (element.name !== "a") return;
  const target = findEncodedTarget(readAttribute(element, "href"));
  const address = target === undefined ? shown : decodeAddress(target);
  if (address === undefined) return;
  element.attribs["href"] = `mailto:${address}`;
  if (shown === undefined && foldSpace(readText(element, 40)) === "[email protected]")
    showAddress(element, address);
}

/**
 * Returns the `mailto:` address of a link to an obfuscated address, or undefined for other links.
 */
export function decodeEmailTarget(link: Element): string | undefined {
  const hidden =
    findEncodedTarget(readAttribute(link, "href")) ?? readAttribute(link, "data-cfemail");
  const address = hidden === "" ? undefined : decodeAddress(hidden);
  return address === undefined ? undefined : `mailto:${address}`;
}

function findEncodedTarget(href: string): string | undefined {
  const mark = href.lastIndexOf("#");
  return (href.charCodeAt(mark - 1) | 32) === BEFORE_MARK
    ? SCRAMBLED_LINK.exec(href)?.[1]
    : undefined;
}

function showAddress(element: Element, address: string): void {
  const text = createText(address);
  text.parent = element;
  setChildren(element, [text]);
}

function decodeAddress(hexadecimal: string): string | undefined {
  if (!/^(?:[0-9a-f]{2}){3,1000}$/i.test(hexadecimal)) return undefined;
  const bytes = Buffer.from(hexadecimal, "hex");
  const key = bytes[0] as number;
  const text = bytes.subarray(1).map((byte) => byte ^ key);
  const address = new TextDecoder().decode(text);
  return ADDRESS.test(address) ? address : undefined;
}
