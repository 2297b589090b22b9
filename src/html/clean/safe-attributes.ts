// Decides which attributes the html format keeps. None of them runs code when the HTML is embedded
// in another page.
import type { Element } from "domhandler";

const ADDRESSES: ReadonlySet<string> = new Set(
  "href xlink:href src srcset imagesrcset action formaction data poster background cite ping longdesc usemap manifest codebase archive classid code profile lowsrc dynsrc icon".split(
    " ",
  ),
);
/** Attributes whose value is a whole page. */
const PAGES: ReadonlySet<string> = new Set(["srcdoc"]);
/** Elements that show an SVG picture without running its scripts. */
const PICTURES: ReadonlySet<string> = new Set(["img", "source", "video", "image", "input", "link"]);
/** Elements that change another element's attribute while the page is shown (SVG 2 animation). */
const ANIMATIONS: ReadonlySet<string> = new Set([
  "animate",
  "set",
  "animatetransform",
  "animatemotion",
  "animatecolor",
]);
const ANIMATED_VALUES: ReadonlySet<string> = new Set(["from", "to", "by", "values"]);

/** Addresses without a scheme or with a harmless one. */
const PLAIN_ADDRESS = /^(?:https?:\/\/|mailto:|tel:|[/#?.\w-][^:]*$|$)/i;
const PASSIVE_DATA =
  /^data:(?:,|;|image\/(?!svg)|audio\/|video\/|font\/|text\/plain[;,]|text\/csv[;,]|application\/(?:pdf|json)[;,])/i;
const SVG_DATA = /^data:image\/svg\+xml[;,]/i;
const HIDDEN_SCRIPT = /(?:javascript|vbscript|data):/i;
/** Names that every HTML parser reads in the same way. */
const PLAIN_NAME = /^[^\s"'<>/=`\p{Cc}]+$/u;

/** True if the attribute is safe in HTML that others show. */
export function isSafeAttribute(element: Element, name: string, value: string): boolean {
  const lower = name.toLowerCase();
  if (lower.startsWith("on") || PAGES.has(lower) || !PLAIN_NAME.test(name)) return false;
  if (ADDRESSES.has(lower)) {
    if (lower.endsWith("srcset")) return isSafeSourceSet(value);
    return isSafeAddress(value, PICTURES.has(element.name.toLowerCase()));
  }
  if (ANIMATED_VALUES.has(lower) && ANIMATIONS.has(element.name.toLowerCase()))
    return !HIDDEN_SCRIPT.test(stripControls(value));
  if (lower === "content" && isRefresh(element)) return !HIDDEN_SCRIPT.test(stripControls(value));
  return true;
}

/**
 * True if a browser would run no code for this address. Set `isPicture` if it is only shown as a
 * picture.
 */
export function isSafeAddress(address: string, isPicture = false): boolean {
  if (PLAIN_ADDRESS.test(address)) return true;
  // URL.parse drops what browsers drop: leading controls, and tabs and line ends anywhere (WHATWG
  // URL §4.4).
  const url = URL.parse(address, "https://base.invalid/");
  if (url === null) return !HIDDEN_SCRIPT.test(stripControls(address));
  if (url.protocol === "data:")
    return PASSIVE_DATA.test(url.href) || (isPicture && SVG_DATA.test(url.href));
  return url.protocol !== "javascript:" && url.protocol !== "vbscript:";
}

const isSafeSourceSet = (value: string): boolean =>
  !/(?:javascript|vbscript):|data:(?!image\/)/i.test(stripControls(value));

const isRefresh = ({ name, attribs }: Element): boolean =>
  name === "meta" && (attribs["http-equiv"] ?? "").trim().toLowerCase() === "refresh";

const stripControls = (text: string): string => text.replace(/[\s\p{Cc}]/gu, "");
