// Converts PDFium's pages to the layout's model.
import type {
  ParsedPage,
  StructureTreeElement,
  TextItem,
  VectorShape,
} from "@llamaindex/liteparse";
import type { Face, LinkArea, PdfPage, Ruling, TagElement, Word } from "./page-text.ts";
import { mergeRulings } from "./rulings.ts";
import { learnFaces, withOwnFaces } from "./word-faces.ts";

const BOLD =
  /bold|black|heavy|semibold|demi|-bd\b|,b\b|^(?:cm|sf|lm|ec)[a-z]*bx|^(?:sf|ec)s[xo]\d|^cmb\d|^nimbus\w*-medi/i;
const ITALIC = /italic|oblique|ital\b|-it\b|^(?:cm|sf|lm|ec)(?:ti|sl)/i;
/** Also the typewriter fonts of TeX, and the Courier of Ghostscript and old Adobe names. */
const MONO =
  /mono(?!type)|nimbusmon|courier|consol|menlo|monaco|andale|typewriter|lettergothic|source ?code|fira ?code|inconsolata|fixed|^(?:cm|ec|sf|lm|la|t1|ts1)(?:sl|it|v|vt|csc)?tt\d|cmtt|^pcr[rb]/i;
/** Bounds for hostile pages. */
const MAX_WORDS = 60_000;
const MAX_RULINGS = 3_000;
const MAX_LINKS = 5_000;

export function toPdfPage(page: ParsedPage): PdfPage {
  const rulings = page.vectorGraphics?.lines ?? [];
  const across: Ruling[] = [];
  const down: Ruling[] = [];
  for (const { x1, y1, x2, y2, fillColor, strokeColor, stroke } of rulings) {
    if (isWhite(stroke ? strokeColor : fillColor)) continue;
    if (Math.abs(y1 - y2) < 1.5)
      across.push({ at: (y1 + y2) / 2, from: Math.min(x1, x2), to: Math.max(x1, x2) });
    else if (Math.abs(x1 - x2) < 1.5)
      down.push({ at: (x1 + x2) / 2, from: Math.min(y1, y2), to: Math.max(y1, y2) });
  }
  return {
    number: page.pageNum,
    width: page.width,
    height: page.height,
    words: withDrawnBullets(toWords(page.textItems), page.vectorGraphics?.shapes ?? []),
    horizontals: mergeRulings(across).slice(0, MAX_RULINGS),
    verticals: mergeRulings(down).slice(0, MAX_RULINGS),
    links: toLinks(page),
    tags: (page.structureTree?.roots ?? []).map((root) => toTag(root, 0)),
  };
}

const isWhite = (color: string | undefined): boolean =>
  color !== undefined && /^..f[a-f]f[a-f]f[a-f]$/i.test(color);

function toWords(items: readonly TextItem[]): Word[] {
  const words: Word[] = [];
  const known = learnFaces(items.filter((item) => !isTurned(item)).flatMap(readFirstWord));
  for (const [run, item] of items.entries()) {
    if (words.length >= MAX_WORDS) break;
    if (isTurned(item)) continue;
    const face = toFace(item);
    const own = {
      face,
      tag: item.mcid,
      confidence: item.confidence,
      y0: item.y,
      y1: item.y + item.height,
    };
    const isRead = item.confidence !== undefined;
    const parts = item.words ?? [];
    const text = joinAccents(clean(item.text), face.font);
    if (parts.length > 0 && parts.length < 2_000) {
      const firstOfItem = words.length;
      let at = 0;
      for (const part of parts) {
        const word = joinAccents(clean(part.text), face.font);
        if (word === "") continue;
        // Boxes split words at some punctuation, but only whitespace of the text separates words.
        const found = item.text.indexOf(part.text.trim(), at);
        const before = words.at(-1);
        const glued = found > 0 && at > 0 && found === at && before?.run === run;
        if (found >= 0) at = found + part.text.trim().length;
        if (glued && before !== undefined)
          words[words.length - 1] = {
            ...before,
            text: before.text + word,
            x1: part.x + part.width,
          };
        else {
          const [x1, y1] = [part.x + part.width, part.y + part.height];
          const box = isRead ? {} : { y0: part.y, y1 };
          words.push({ ...own, run, text: word, x0: part.x, x1, ...box });
        }
      }
      const itemWords = words.splice(firstOfItem);
      words.push(...(isRead ? itemWords : withOwnFaces(itemWords, own, known)));
    } else if (text !== "") words.push(...splitIntoWords(text, item, { ...own, run }));
  }
  return words;
}

/** Returns the first word of an item, with its own height and the width of the whole item. */
function readFirstWord(item: TextItem, run: number): Word[] {
  const [part] = item.words ?? [];
  const text = part === undefined ? "" : clean(part.text);
  if (part === undefined || !/^\p{L}/u.test(text)) return [];
  const box = { x0: item.x, x1: item.x + item.width, y0: part.y, y1: part.y + part.height };
  return [{ ...box, text, face: toFace(item), run, tag: undefined, confidence: undefined }];
}

/** Splits an item with a single box into words, each with its share of the width. */
function splitIntoWords(
  text: string,
  item: TextItem,
  own: Omit<Word, "text" | "x0" | "x1">,
): Word[] {
  const width = item.width / Math.max(1, text.length);
  return [...text.matchAll(/\S+/gu)].map((match) => ({
    ...own,
    text: match[0],
    x0: item.x + match.index * width,
    x1: item.x + (match.index + match[0].length) * width,
  }));
}

/** Vertical or skewed text: axis labels, stamps, watermarks. */
const isTurned = ({ rotation }: TextItem): boolean => {
  const angle = Math.abs((((rotation ?? 0) + 180) % 360) - 180);
  return angle > 3 && angle < 357;
};

/**
 * Control characters and private-use marks are not text. PDFium writes U+FFFE and U+0002 for a
 * hyphen at the end of a line.
 */
const clean = (text: string): string =>
  text
    .replaceAll("\uFFFE", "-")
    .replaceAll("\u0002", "-")
    // oxlint-disable-next-line no-control-regex
    .replace(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\u200B\uFEFF]/g, "")
    .replace(/[\u00A0\u2000-\u200A\u202F]/g, " ")
    .replace(/[\uFB00-\uFB06]/g, (ligature) => ligature.normalize("NFKC"))
    .trim();

/** Accents that TeX's first fonts draw before their letter, mapped to combining characters. */
const ACCENTS: Readonly<Record<string, string>> = {
  "\u00B4": "\u0301",
  "\u00A8": "\u0308",
  "\u02C6": "\u0302",
  "\u02DC": "\u0303",
  "\u02C7": "\u030C",
  "\u02DA": "\u030A",
};

function joinAccents(text: string, font: string): string {
  if (!/^CM[A-Z]+\d/.test(font)) return text;
  return text.replaceAll(
    /([\u00B4\u00A8\u02C6\u02DC\u02C7\u02DA])(\p{L})/gu,
    (both, accent, letter) => {
      const base = letter === "\u0131" ? "i" : letter;
      const joined = `${base}${ACCENTS[accent] ?? ""}`.normalize("NFC");
      return joined.length === 1 ? joined : both;
    },
  );
}

/**
 * Weights range up to 1000; larger values are invalid. They are guessed from stems, so a style in
 * the font name takes precedence.
 */
const isHeavy = (font: string, weight = 0): boolean =>
  weight >= 600 &&
  weight <= 1_000 &&
  !/[-,](?:regular|roman|book|light|thin|ital(?:ic)?|it|oblique)$/i.test(font);

function toFace(item: TextItem): Face {
  const font = (item.fontName ?? "").replace(/^[A-Z]{6}\+/, "");
  const given = item.fontHeight ?? item.fontSize ?? 0;
  const size = given > 0.5 ? given : item.height * 0.9;
  return {
    font,
    size: Math.max(0.5, size),
    bold: BOLD.test(font) || isHeavy(font, item.fontWeight),
    italic: ITALIC.test(font),
    mono: MONO.test(font),
  };
}

const MAX_SHAPES = 5_000;
const BULLET_SIZE = { min: 1.2, max: 7 } as const;

/**
 * Browsers draw list markers as shapes: a small round or square shape right before the first word
 * of a line is one.
 */
function withDrawnBullets(words: Word[], shapes: readonly VectorShape[]): Word[] {
  const bullets: Word[] = [];
  for (const { bbox } of shapes.slice(0, MAX_SHAPES)) {
    const { x, y, width, height } = bbox;
    const size = Math.max(width, height);
    if (size < BULLET_SIZE.min || size > BULLET_SIZE.max || Math.abs(width - height) > 0.25 * size)
      continue;
    const middle = y + height / 2;
    const onLine = words.filter(({ y0, y1 }) => y0 < middle && y1 > middle);
    const next = onLine.find(
      (word) => word.x0 - x - width > 0.5 && word.x0 - x - width < 1.6 * word.face.size,
    );
    if (next === undefined || onLine.some(({ x0, x1 }) => x1 > x - 14 && x0 < x + width)) continue;
    bullets.push({ ...next, text: "•", x0: x, x1: x + width, run: -1 - bullets.length });
  }
  return bullets.length === 0 ? words : [...words, ...bullets];
}

function toLinks(page: ParsedPage): LinkArea[] {
  return (page.annotations ?? [])
    .slice(0, MAX_LINKS)
    .flatMap(({ subtype, uri, rect, quadpointRects }): LinkArea[] => {
      if (subtype !== "link" || uri === undefined || !/^(?:https?|mailto|tel|ftp):/i.test(uri))
        return [];
      const areas = quadpointRects.length > 0 ? quadpointRects : rect === undefined ? [] : [rect];
      return areas.map(({ x, y, width, height }) => ({
        href: uri,
        x0: x,
        y0: y,
        x1: x + width,
        y1: y + height,
      }));
    });
}

const MAX_DEPTH = 60;

function toTag(element: StructureTreeElement, depth: number): TagElement {
  const readSpan = (name: string): number => {
    const value = Number(element.attributes[name] ?? 1);
    return Number.isInteger(value) && value > 0 && value < 100 ? value : 1;
  };
  return {
    type: element.type,
    tags: element.markedContentIds,
    altText: element.altText ?? "",
    columns: readSpan("ColSpan"),
    rows: readSpan("RowSpan"),
    children: depth > MAX_DEPTH ? [] : element.children.map((child) => toTag(child, depth + 1)),
  };
}
