// The only place where page content becomes markup. Everything that loads, runs or navigates is
// removed.
import DOMPurify from "dompurify";

/** Replaces an image by its description: loading it would reveal the viewer to another site. */
function replaceImage(element: Element): void {
  const source = element.getAttribute("src") ?? "";
  if (source.startsWith("data:image/")) return;
  const note = element.ownerDocument.createElement("span");
  note.className = "picture";
  note.textContent = element.getAttribute("alt")?.trim() || "image";
  note.title = source;
  element.replaceWith(note);
}

DOMPurify.addHook("afterSanitizeElements", (node) => {
  if (node instanceof Element && node.localName === "img") replaceImage(node);
});

DOMPurify.addHook("afterSanitizeAttributes", (element) => {
  if (element.localName !== "a") return;
  const href = element.getAttribute("href") ?? "";
  if (!/^https?:|^mailto:/i.test(href)) element.removeAttribute("href");
  element.setAttribute("target", "_blank");
  element.setAttribute("rel", "noopener noreferrer nofollow");
});

const MARKDOWN_TAGS =
  "a b blockquote br code dd del details dl dt em h1 h2 h3 h4 h5 h6 hr i img ins kbd li mark ol p pre q s samp small span strong sub summary sup table tbody td tfoot th thead tr u ul var".split(
    " ",
  );

/** Sanitizes HTML for the console's own document: no styles, classes, ids or external resources. */
export function sanitizeMarkdown(html: string): string {
  return DOMPurify.sanitize(html, {
    ALLOWED_TAGS: MARKDOWN_TAGS,
    ALLOWED_ATTR: [
      "href",
      "title",
      "alt",
      "src",
      "colspan",
      "rowspan",
      "align",
      "start",
      "dir",
      "lang",
    ],
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    RETURN_TRUSTED_TYPE: true,
  }) as unknown as string;
}
