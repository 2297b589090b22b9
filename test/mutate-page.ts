// Breaks pages as real pages are broken: tags lost, doubled and swapped, attributes and entities
// cut, bytes and charsets wrong, endless nesting. Deterministic per seed.

/** Numbers from 0 up to 1, deterministic per seed (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

type Random = () => number;
type Mutation = (html: string, random: Random) => string;

const NAMES =
  `table tr td template svg math mtext annotation-xml select option noscript plaintext frameset textarea title script style iframe p a b
  i li ul ol dl dd button form pre code blockquote h1 base body html head caption colgroup details summary ruby foreignObject`.split(
    /\s+/,
  );
const DEBRIS = [
  "<",
  "</",
  "<!",
  "<!--",
  "-->",
  "<![CDATA[",
  "]]>",
  "<?xml",
  "&",
  "&#",
  "&#x110000;",
  "&#0;",
  "&notanentity;",
  "&amp",
  "\0",
  "\uFEFF",
  "\uD800",
  "\u202E",
  "\u2028",
  '"',
  "'",
  ">",
  "/>",
  "<script>alert(1)</script>",
  "<img src=x onerror=alert(1)>",
  '<a href="javascript:alert(1)">x</a>',
  '<a href=" \tjava\nscript:alert(1)">y</a>',
  "<svg><script>alert(1)</script></svg>",
  "<math><mi><script>alert(1)</script>",
  "<noscript><script>alert(1)</script></noscript>",
  "<table><script>alert(1)</script><tr><td colspan=99999 rowspan=99999>z",
  "``` <script>alert(1)</script> ```",
  "[x](javascript:alert(1))",
];

const pick = <Item>(items: readonly Item[], random: Random): Item =>
  items[Math.floor(random() * items.length)]!;
const placeIn = (html: string, random: Random): number => Math.floor(random() * (html.length + 1));
const splice = (html: string, from: number, to: number, text: string): string =>
  html.slice(0, from) + text + html.slice(to);

/** Finds a tag from some offset on. */
function findTag(html: string, random: Random): readonly [number, number] {
  const from = html.indexOf("<", placeIn(html, random));
  if (from < 0) return [html.length, html.length];
  const to = html.indexOf(">", from);
  return [from, to < 0 ? html.length : to + 1];
}

function slice(html: string, random: Random): string {
  const from = placeIn(html, random);
  return html.slice(from, from + Math.floor(random() ** 3 * 4_000));
}

const MUTATIONS: readonly Mutation[] = [
  // Tags.
  (html, random) => splice(html, ...findTag(html, random), ""),
  (html, random) => {
    const [from, to] = findTag(html, random);
    return splice(html, to, to, html.slice(from, to));
  },
  (html, random) => {
    const one = findTag(html, random);
    const other = findTag(html, random);
    const [first, second] = one[0] <= other[0] ? [one, other] : [other, one];
    if (first[1] > second[0]) return html;
    const swapped = splice(html, ...second, html.slice(...first));
    return splice(swapped, ...first, html.slice(...second));
  },
  (html, random) => {
    const [from, to] = findTag(html, random);
    return splice(html, from + Math.floor(random() * (to - from)), to, "");
  },
  (html, random) => {
    const [from, to] = findTag(html, random);
    const tag = html.slice(from, to).replace(/^(<\/?)[a-z0-9-]+/i, `$1${pick(NAMES, random)}`);
    return splice(html, from, to, tag);
  },
  (html, random) => {
    const at = placeIn(html, random);
    return splice(html, at, at, `<${random() < 0.5 ? "" : "/"}${pick(NAMES, random)}>`);
  },
  // Attributes.
  (html, random) => {
    const [from, to] = findTag(html, random);
    return splice(html, from, to, html.slice(from, to).replace(/["']/, ""));
  },
  (html, random) => {
    const [from, to] = findTag(html, random);
    const attribute = pick(
      [
        ' style="display:none"',
        " hidden",
        ' class="',
        " onclick=alert(1)",
        ' colspan="1e9"',
        ` data-x="${"x".repeat(5_000)}"`,
        ' href="//["',
        ' src="data:image/png;base64,AAAA"',
        ' start="-99999999999"',
      ],
      random,
    );
    return splice(html, from, to, html.slice(from, to).replace(/\s*\/?>$/, `${attribute}>`));
  },
  // Bytes and fragments.
  (html, random) => {
    const at = placeIn(html, random);
    return splice(html, at, at, pick(DEBRIS, random));
  },
  (html, random) => {
    const at = placeIn(html, random);
    return splice(html, at, at + 1, String.fromCharCode(Math.floor(random() * 0x300)));
  },
  (html, random) => html.slice(0, placeIn(html, random)),
  (html, random) => html.slice(placeIn(html, random)),
  (html, random) => {
    const at = placeIn(html, random);
    return splice(html, at, at, slice(html, random));
  },
  (html, random) => {
    const from = placeIn(html, random);
    return splice(html, from, from + Math.floor(random() ** 3 * 4_000), "");
  },
  // Repetition.
  (html, random) => {
    const at = placeIn(html, random);
    const name = pick(NAMES, random);
    return splice(html, at, at, `<${name}>`.repeat(Math.floor(random() * 3_000)));
  },
  (html, random) => {
    const at = placeIn(html, random);
    const piece = slice(html, random).slice(0, 600);
    return splice(html, at, at, piece.repeat(Math.floor(random() * 100)));
  },
  (html, random) => {
    const at = placeIn(html, random);
    return splice(
      html,
      at,
      at,
      pick(["&", "<", "[", "*", "`", "\n> ", "_", "- "], random).repeat(3_000),
    );
  },
];

const LABELS = [
  "text/html; charset=utf-8",
  "text/html",
  "text/html; charset=windows-1252",
  "text/html; charset=utf-16le",
  "text/html; charset=shift_jis",
  "text/html; charset=iso-2022-jp",
  "text/html; charset=gb18030",
  "text/html; charset=no-such-thing",
  "application/xhtml+xml",
];

export type BrokenPage = { readonly body: Uint8Array; readonly contentType: string };

/** Breaks a page in one to eight ways, sometimes also its bytes and charset. */
export function mutatePage(html: string, random: Random): BrokenPage {
  let broken = html;
  for (let left = 1 + Math.floor(random() * 8); left > 0; left--)
    broken = pick(MUTATIONS, random)(broken, random);
  const contentType = random() < 0.8 ? LABELS[0]! : pick(LABELS, random);
  const body = Buffer.from(broken, random() < 0.95 ? "utf8" : "utf16le");
  for (let left = random() < 0.2 ? Math.floor(random() * 50) : 0; left > 0; left--)
    body[Math.floor(random() * body.length)] = Math.floor(random() * 256);
  return { body: new Uint8Array(body), contentType };
}
