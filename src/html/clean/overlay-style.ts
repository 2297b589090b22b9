// Look of the overlay page. It loads nothing from anywhere.

/** Elements that keep their name. Other block-level elements become div, the rest span. */
export const PLAIN: ReadonlySet<string> = new Set(
  `h1 h2 h3 h4 h5 h6 p ul ol li dl dt dd table caption thead tbody tfoot tr td th pre code blockquote figure figcaption
  b strong i em s del ins sub sup small q abbr cite kbd samp var mark u br hr section article header footer main aside nav`.split(
    /\s+/,
  ),
);
export const EMPTY: ReadonlySet<string> = new Set(["br", "hr"]);
export const BLOCKS: ReadonlySet<string> = new Set(
  `html body address center details dialog dir div fieldset form hgroup legend menu optgroup option search select summary
  colgroup noscript template iframe object`.split(/\s+/),
);
/** Elements with invisible text. */
export const HIDDEN_TAGS: ReadonlySet<string> = new Set(
  "head script style template noscript title textarea svg math-template iframe object".split(" "),
);
/** Shown by their alternative text. */
export const PICTURES: ReadonlySet<string> = new Set([
  "img",
  "video",
  "audio",
  "picture",
  "canvas",
]);

export const POLICY = "default-src 'none'; style-src 'unsafe-inline'";

export const STYLE = `
:root { color-scheme: light; font: 15px/1.5 system-ui, sans-serif; }
body { margin: 0 auto; max-width: 1100px; padding: 0 16px 60px; color: #1b1f24; background: #fff; }
.legend { position: sticky; top: 0; z-index: 1; margin: 0 -16px 16px; padding: 10px 16px; background: #f6f8fa; border-bottom: 1px solid #d0d7de; font-size: 13px; }
.legend h1 { margin: 0 0 4px; font-size: 15px; overflow-wrap: anywhere; }
.legend p { margin: 2px 0; }
.legend table { margin: 4px 0; border-collapse: collapse; }
.legend td { padding: 0 14px 0 0; border: 0; }
.k { background: #d2f4d9; }
.k.s4, .k.s3 { background: #e4f7cf; }
.k.s2, .k.s1, .k.s0 { background: #f3f6bf; }
.r { background: #ffdcd7; color: #6e2a20; }
.r.s4, .r.s3, .r.s2 { background: #ffe9cf; }
.c { background: #e3e3e8; color: #5b5b66; }
.h { background: #ead9fb; color: #4d2a75; }
.k:hover, .r:hover, .c:hover, .h:hover { outline: 2px solid #0969da; }
.picture { padding: 0 4px; border: 1px dashed; border-radius: 3px; font-style: normal; font-size: 12px; }
[data-note] { margin: 6px 0; padding: 2px 8px; border-left: 4px solid #cf5b4c; background: #fff6f5; }
[data-note]::before { content: attr(data-note); display: block; color: #8a3c31; font: 11px/1.4 ui-monospace, monospace; }
:is(span, a, b, i, strong, em)[data-note] { display: block; }
table { border-collapse: collapse; }
td, th { border: 1px solid #d0d7de; padding: 2px 6px; vertical-align: top; }
pre { overflow: auto; }
a { text-decoration: underline; }
body:has(#kept:checked) :is(.r, .c, .h, [data-note]) { display: none; }
`;
