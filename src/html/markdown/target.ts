// Formats the targets of links and images for Markdown.
import { resolveUrl } from "../links/base-url.ts";

const UNLINKED_SCHEME = /^(?:javascript|vbscript|data|blob|about|file|chrome|view-source):/i;
// oxlint-disable-next-line no-control-regex -- browsers ignore control codes in front of a scheme
const LEADING_CONTROLS = /^[\u0000-\u0020\u007f-\u009f]+|[\t\n\r]/g;

/** Returns an address as browsers read it. */
function stripControls(address: string): string {
  const first = address.charCodeAt(0);
  const isClean = first > 32 && first < 127 && !/[\t\n\r]/.test(address);
  return isClean ? address : address.replace(LEADING_CONTROLS, "");
}

/**
 * Returns the target of a link, absolute if a base is known, or undefined if it is not a valid
 * destination.
 */
export function linkTarget(href: string, base: string | undefined): string | undefined {
  const written = stripControls(href);
  if (UNLINKED_SCHEME.test(written)) return undefined;
  const url = resolveUrl(written, base);
  return url === undefined || (url !== written && UNLINKED_SCHEME.test(url)) ? undefined : url;
}

export type ImageTargetOptions = {
  readonly base: string | undefined;
  readonly removeBase64Images: boolean;
};

/** Placeholder for an image that was embedded in the page. */
export const REMOVED_IMAGE = "<Base64-Image-Removed>";

/**
 * Returns the target of an image, or undefined. A data URL gives `REMOVED_IMAGE` if the options ask
 * for it.
 */
export function resolveImageTarget(
  source: string,
  options: ImageTargetOptions,
): string | undefined {
  const written = stripControls(source);
  if (written === "") return undefined;
  if (/^data:/i.test(written)) {
    if (!/^data:image\//i.test(written)) return undefined;
    return options.removeBase64Images ? REMOVED_IMAGE : written;
  }
  if (/^(?:javascript|vbscript|blob|about|file):/i.test(written)) return undefined;
  return resolveUrl(written, options.base);
}

/** Formats target and title between the parentheses of a link or image (CommonMark §6.3). */
export function toDestination(target: string, title: string): string {
  let url = target;
  if (url !== REMOVED_IMAGE && /[\s<>()\\&`]/.test(url)) {
    url = url
      .replace(/\s/g, encodeURIComponent)
      .replace(/</g, "%3C")
      .replace(/>/g, "%3E")
      .replace(/\\/g, "%5C")
      .replace(/`/g, "%60")
      .replace(/&(?=#?[a-zA-Z0-9]{1,31};)/g, "\\&");
    if (!hasBalancedParentheses(url)) url = url.replace(/[()]/g, "\\$&");
  }
  if (title === "") return `(${url})`;
  return `(${url} "${title.replace(/\s+/g, " ").replace(/"|<(?=[a-zA-Z/!?])|\\(?=[!-/:-@[-`{-~])|&(?=#?\w{1,31};)/g, "\\$&")}")`;
}

function hasBalancedParentheses(text: string): boolean {
  let open = 0;
  for (const character of text) {
    // CommonMark implementations may stop counting at 32.
    if (character === "(" && ++open > 3) return false;
    if (character === ")" && --open < 0) return false;
  }
  return open === 0;
}
