// Email addresses that Cloudflare obfuscates: a hexadecimal string whose first byte is the XOR key
// of all other bytes. Browsers restore them by script; this does the same.
import type { Element } from "domhandler";
import { mayHaveUncommon, newText } from "../parse/nodes.ts";
import { attributeOf, foldSpace, setChildren, textOf } from "../parse/tree.ts";

const SCRAMBLED_LINK = /\/cdn-cgi\/l\/email-protection#([0-9a-f]{6,2000})$/i;
/** The letter before the last "#" of such a link. Few other links have it there. */
const BEFORE_MARK = "n".charCodeAt(0);
const ADDRESS = /^[^\s@<>"]{1,256}@[^\s@<>"]{1,1000}$/;

/**
 * Restores an obfuscated address: the text of the element that carries it and the target of a link
 * to it.
 */
export function revealEmail(element: Element): void {
  const hidden = mayHaveUncommon(element) ? attributeOf(element, "data-cfemail") : "";
  const shown = hidden === "" ? undefined : unscramble(hidden);
  if (shown !== undefined) {
    say(element, shown);
    delete element.attribs["data-cfemail"];
  }
  if (element.name !== "a") return;
  const target = scrambledTarget(attributeOf(element, "href"));
  const address = target === undefined ? shown : unscramble(target);
  if (address === undefined) return;
  element.attribs["href"] = `mailto:${address}`;
  if (shown === undefined && foldSpace(textOf(element, 40)) === "[email protected]")
    say(element, address);
}

/**
 * Returns the `mailto:` address of a link to an obfuscated address, or undefined for other links.
 */
export function revealedTarget(link: Element): string | undefined {
  const hidden = scrambledTarget(attributeOf(link, "href")) ?? attributeOf(link, "data-cfemail");
  const address = hidden === "" ? undefined : unscramble(hidden);
  return address === undefined ? undefined : `mailto:${address}`;
}

function scrambledTarget(href: string): string | undefined {
  const mark = href.lastIndexOf("#");
  return (href.charCodeAt(mark - 1) | 32) === BEFORE_MARK
    ? SCRAMBLED_LINK.exec(href)?.[1]
    : undefined;
}

function say(element: Element, address: string): void {
  const text = newText(address);
  text.parent = element;
  setChildren(element, [text]);
}

function unscramble(hexadecimal: string): string | undefined {
  if (!/^(?:[0-9a-f]{2}){3,1000}$/i.test(hexadecimal)) return undefined;
  const bytes = Buffer.from(hexadecimal, "hex");
  const key = bytes[0] as number;
  const text = bytes.subarray(1).map((byte) => byte ^ key);
  const address = new TextDecoder().decode(text);
  return ADDRESS.test(address) ? address : undefined;
}
