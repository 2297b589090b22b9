// Where links and images point, as Markdown wants it written.
import { resolveUrl } from "../links/base-url.ts";

const DROPPED = /^(?:javascript|vbscript|data|blob|about|file|chrome|view-source):/i;
// oxlint-disable-next-line no-control-regex -- browsers ignore control codes in front of a scheme
const LEADING_CONTROLS = /^[\u0000-\u0020\u007f-\u009f]+|[\t\n\r]/g;

/** An address as browsers read it. */
function withoutControls(address: string): string {
  const first = address.charCodeAt(0);
  const isClean = first > 32 && first < 127 && !/[\t\n\r]/.test(address);
  return isClean ? address : address.replace(LEADING_CONTROLS, "");
}

/** The target of a link, absolute where a base is known; undefined when it leads nowhere a reader may go. */
export function linkTarget(href: string, base: string | undefined): string | undefined {
  const written = withoutControls(href);
  if (DROPPED.test(written)) return undefined;
  const url = resolveUrl(written, base);
  return url === undefined || (url !== written && DROPPED.test(url)) ? undefined : url;
}

export type ImageTargetOptions = {
  readonly base: string | undefined;
  readonly removeBase64Images: boolean;
};

/** What stands for an image whose bytes were in the page. */
export const REMOVED_IMAGE = "<Base64-Image-Removed>";

/** The target of an image; undefined when there is none. A data URL gives `REMOVED_IMAGE` when so asked. */
export function imageTarget(source: string, options: ImageTargetOptions): string | undefined {
  const written = withoutControls(source);
  if (written === "") return undefined;
  if (/^data:/i.test(written)) {
    if (!/^data:image\//i.test(written)) return undefined;
    return options.removeBase64Images ? REMOVED_IMAGE : written;
  }
  if (/^(?:javascript|vbscript|blob|about|file):/i.test(written)) return undefined;
  return resolveUrl(written, options.base);
}

/** A target and title between the parentheses of a link or image (CommonMark §6.3). */
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
