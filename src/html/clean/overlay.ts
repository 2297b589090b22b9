// Renders a page as one self-contained file with kept and removed parts in color: its text in a
// fixed set of plain elements, without anything that runs or loads. It is drawn from a snapshot
// because the tree itself is pruned.
import { type ChildNode, type Document, type Element, isTag, isText, type Text } from "domhandler";
import { BLOCKS, EMPTY, PICTURES, PLAIN, POLICY, STYLE, HIDDEN_TAGS } from "./overlay-style.ts";
import type { RemovedElement } from "./removal.ts";
import { readAttribute, countWords, foldSpace, isBlank, getNextNode } from "../parse/tree.ts";

/** Decision of main content detection about a run of text. */
export type BlockNote = {
  readonly texts: readonly Text[];
  readonly isKept: boolean;
  readonly rule: string;
  /** Set if a model was asked. */
  readonly score?: number;
};

type Piece =
  | { readonly type: "open" | "close"; readonly node: Element }
  | { readonly type: "text"; readonly node: Text; readonly text: string };

type Fate = { readonly look: string; readonly note: string };

const CLEANED: Fate = { look: "c", note: "removed · clean-up" };

export class PageOverlay {
  readonly #pieces: Piece[] = [];
  readonly #blocks = new Map<Text, Fate>();

  /** Takes a snapshot of the page before anything is removed. */
  constructor(document: Document) {
    const open: Element[] = [];
    for (let node = getNextNode(document, document); node !== null;) {
      while (open.length > 0 && open.at(-1) !== node.parent) this.#close(open);
      const isUnseen = isTag(node) && HIDDEN_TAGS.has(node.name);
      if (isText(node)) this.#pieces.push({ type: "text", node, text: node.data });
      else if (isTag(node) && !isUnseen) {
        this.#pieces.push({ type: "open", node });
        open.push(node);
      }
      node = getNextNode(node, document, isUnseen);
    }
    while (open.length > 0) this.#close(open);
  }

  #close(open: Element[]): void {
    const node = open.pop();
    if (node !== undefined) this.#pieces.push({ type: "close", node });
  }

  /** Records a block that main content detection looked at. */
  noteBlock({ texts, isKept, rule, score }: BlockNote): void {
    const grade = Math.min(9, Math.floor((score ?? 0) * 10));
    const sureness = score === undefined ? "" : ` · score ${score.toFixed(3)}`;
    const fate = {
      look: `${isKept ? "k" : "r"} s${grade}`,
      note: `${isKept ? "kept" : "removed"} · main-content · ${rule}${sureness}`,
    };
    for (const text of texts) this.#blocks.set(text, fate);
  }

  /** Writes the overlay for the remaining tree. Without `root`, everything counts as kept. */
  write(
    page: { readonly url: string; readonly title: string; readonly remark: string },
    root: Document | undefined,
    removals: readonly RemovedElement[],
  ): string {
    const left = root === undefined ? undefined : collectNodes(root);
    const gone = new Map<Element, RemovedElement>();
    for (const removal of removals)
      if (removal.element !== undefined) gone.set(removal.element, removal);
    const words = new Map<string, number>();
    const inside: RemovedElement[] = [];
    let body = "";
    for (const piece of this.#pieces) {
      if (piece.type === "text") {
        const fate = this.#findFate(piece.node, left, inside.at(-1));
        const step = describeStep(fate);
        if (!isBlank(piece.text)) words.set(step, (words.get(step) ?? 0) + countWords(piece.text));
        body += isBlank(piece.text) ? " " : renderMark(fate, escapeText(piece.text));
        continue;
      }
      const { node } = piece;
      const removal = gone.get(node);
      if (piece.type === "open") {
        if (removal !== undefined) inside.push(removal);
        const isGone = left !== undefined && !left.has(node);
        body += openTag(node, removal);
        if (PICTURES.has(node.name)) body += renderPicture(node, isGone);
      } else {
        if (removal !== undefined) inside.pop();
        const name = getTagName(node);
        if (!EMPTY.has(name)) body += `</${name}>`;
      }
    }
    return wrap(page, words, body);
  }

  #findFate(
    text: Text,
    left: ReadonlySet<ChildNode> | undefined,
    removal: RemovedElement | undefined,
  ): Fate {
    const isLeft = left === undefined || left.has(text);
    const block = this.#blocks.get(text);
    if (block !== undefined && block.look.startsWith("k") === isLeft) return block;
    if (isLeft) return { look: "k", note: "kept" };
    if (removal === undefined) return CLEANED;
    return {
      look: removal.step === "concealed" ? "h" : "r",
      note: `removed · ${formatRemoval(removal)}`,
    };
  }
}

function collectNodes(root: Document): Set<ChildNode> {
  const nodes = new Set<ChildNode>();
  for (let node = getNextNode(root, root); node !== null; node = getNextNode(node, root))
    nodes.add(node);
  return nodes;
}

const describeStep = ({ note }: Fate): string => note.split(" · ").slice(0, 2).join(": ");

const formatRemoval = ({ step, rule, score, words }: RemovedElement): string =>
  [
    step,
    rule,
    ...(score === undefined ? [] : [`score ${score.toFixed(3)}`]),
    words === 1 ? "1 word" : `${words} words`,
  ].join(" · ");

function getTagName({ name }: Element): string {
  return PLAIN.has(name) ? name : BLOCKS.has(name) ? "div" : "span";
}

function openTag(node: Element, removal: RemovedElement | undefined): string {
  const note = removal === undefined ? "" : ` data-note="${escapeText(formatRemoval(removal))}"`;
  const spans = ["colspan", "rowspan"]
    .filter((name) => /^[1-9]\d{0,2}$/.test(readAttribute(node, name)))
    .map((name) => ` ${name}="${readAttribute(node, name)}"`);
  return `<${getTagName(node)}${note}${spans.join("")}>`;
}

function renderPicture(node: Element, isGone: boolean): string {
  const words = foldSpace(readAttribute(node, "alt")).slice(0, 80);
  const fate = isGone ? "r" : "k";
  return `<i class="picture ${fate}" title="${isGone ? "removed" : "kept"}">${node.name}${
    words === "" ? "" : `: ${escapeText(words)}`
  }</i>`;
}

const renderMark = ({ look, note }: Fate, text: string): string =>
  `<span class="${look}" title="${escapeText(note)}">${text}</span>`;

const escapeText = (text: string): string =>
  text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");

function wrap(
  { url, title, remark }: { url: string; title: string; remark: string },
  words: ReadonlyMap<string, number>,
  body: string,
): string {
  const rows = [...words]
    .toSorted((one, other) => other[1] - one[1])
    .map(
      ([step, count]) =>
        `<tr><td>${escapeText(step)}</td><td>${count} ${count === 1 ? "word" : "words"}</td></tr>`,
    );
  const heading = title === "" ? url : `${title} – ${url}`;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="robots" content="noindex"><title>${escapeText(`What was kept: ${heading}`)}</title><style>${STYLE}</style></head><body>
<div class="legend"><h1>${escapeText(heading)}</h1>
<p><span class="k s9">kept, sure</span> <span class="k s3">kept, likely</span> <span class="k s1">kept with its surroundings</span>
<span class="r s3">removed, doubtful</span> <span class="r s0">removed, sure</span> <span class="h">concealed from readers</span>
<span class="c">clean-up</span> · point at a text for step, rule and score</p>
<p><label><input type="checkbox" id="kept"> only what was kept</label>${remark === "" ? "" : ` · ${escapeText(remark)}`}</p>
<table>${rows.join("")}</table></div>
${body}
</body></html>
`;
}
