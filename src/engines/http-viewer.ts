// Pages that only show a document: returns the document. Followed like a redirect with its rules.
import { type Document, type Element, isTag, isText } from "domhandler";
import { parseHtml } from "../html/parse/parse.ts";
import { readAttribute, walk } from "../html/parse/tree.ts";
import { resolveLocation } from "../url/redirect.ts";

const MAX_PAGE_BYTES = 262_144;
/** A page with more words than a title, a caption and a download link has its own content. */
const MAX_WORDS = 60;

/** Pages without a match need not be parsed. */
const DOCUMENT_FRAME =
  /<(?:embed|object|iframe)\b[^<>]{0,2000}(?:\.pdf|application\/pdf|viewer|gview|officeapps)/i;

/** Returns the PDF export URL of a Google editor document; undefined for other URLs. */
export function exportTarget(url: URL): URL | undefined {
  if (url.hostname !== "docs.google.com") return undefined;
  const [, kind, id] =
    /^\/(document|presentation)(?:\/u\/\d+)?\/d\/([\w-]{20,})(?:\/(?:edit|view|preview|mobilebasic)?)?$/.exec(
      url.pathname,
    ) ?? [];
  if (kind === undefined) return undefined;
  return new URL(
    kind === "document"
      ? `https://docs.google.com/document/d/${id}/export?format=pdf`
      : `https://docs.google.com/presentation/d/${id}/export/pdf`,
  );
}

/**
 * Returns the document of a viewer page, found by its URL or its only content; undefined for other
 * pages.
 */
export function findViewerTarget(body: Uint8Array, url: URL): URL | undefined {
  if (body.length > MAX_PAGE_BYTES) return undefined;
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.length);
  const text = bytes.toString("latin1");
  const shown = findShownDocument(url, undefined);
  if (shown !== undefined && /pdf\.?js|pdfViewer|docs-viewer|officeapps/i.test(text)) return shown;
  if (!DOCUMENT_FRAME.test(text)) return undefined;
  return findOnlyDocument(parseHtml(bytes.toString("utf8")), url);
}

/** Elements whose text is not content. */
const ASIDE: ReadonlySet<string> = new Set([
  "script", "style", "noscript", "template", "head", "nav", "header", "footer", "object", "iframe", "button",
]); // prettier-ignore

/** True if a page has no more text than what surrounds a document or its download link. */
export function hasFewWords(html: string): boolean {
  if (html.length > MAX_PAGE_BYTES) return false;
  return countContentWords(parseHtml(html), () => undefined) <= MAX_WORDS;
}

/** Counts content words up to the limit; calls `look` for each element. */
function countContentWords(document: Document, look: (element: Element) => void): number {
  let words = 0;
  walk(document, (node) => {
    if (isText(node)) words += node.data.match(/\S+/g)?.length ?? 0;
    if (words > MAX_WORDS) return "stop";
    if (!isTag(node)) return "skip";
    look(node);
    return ASIDE.has(node.name) && node.name !== "head" && node.name !== "object"
      ? "skip"
      : "children";
  });
  return words;
}

function findOnlyDocument(document: Document, url: URL): URL | undefined {
  const frames: Element[] = [];
  let base = url;
  const words = countContentWords(document, (element) => {
    if (element.name === "base") base = resolveLocation(readAttribute(element, "href"), url) ?? url;
    if (/^(?:embed|object|iframe)$/.test(element.name)) frames.push(element);
  });
  if (words > MAX_WORDS) return undefined;
  const targets = frames.flatMap((frame) => readTarget(frame, base) ?? []);
  const [first, ...others] = targets;
  return first !== undefined && others.every(({ href }) => href === first.href) ? first : undefined;
}

function readTarget(frame: Element, base: URL): URL | undefined {
  const written = readAttribute(frame, frame.name === "object" ? "data" : "src");
  const address = written.trim() === "" ? undefined : resolveLocation(written, base);
  if (address === undefined || !isWeb(address)) return undefined;
  const shown = findShownDocument(address, base);
  if (shown !== undefined) return shown;
  const isPdf = readAttribute(frame, "type").trim().toLowerCase() === "application/pdf";
  if (!isPdf && !/\.pdf$/i.test(address.pathname)) return undefined;
  address.hash = "";
  return address;
}

const isWeb = ({ protocol }: URL): boolean => protocol === "http:" || protocol === "https:";

/**
 * The document URL in the parameters of a known viewer: pdf.js, Google's and Microsoft's. `base` is
 * the page's URL.
 */
function findShownDocument(viewer: URL, base: URL | undefined): URL | undefined {
  const { hostname, pathname, searchParams } = viewer;
  const named =
    (hostname === "docs.google.com" || hostname === "drive.google.com") &&
    /^\/(?:viewer|gview|viewerng\/viewer)$/.test(pathname)
      ? searchParams.get("url")
      : hostname === "view.officeapps.live.com"
        ? searchParams.get("src")
        : /\/viewer(?:\.html?)?$/i.test(pathname)
          ? searchParams.get("file")
          : null;
  if (named === null || named === "") return undefined;
  const target = resolveLocation(named, viewer);
  if (target === undefined || !isWeb(target) || target.href === base?.href) return undefined;
  target.hash = "";
  return target;
}
