// Converts the model of an office document to semantic HTML.
import type { Block, Document, Inline, List, Note, Table } from "@firecrawl/anydoc";

const MAX_DEPTH = 60;

const escapeHtml = (text: string): string =>
  text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");

/**
 * Content around the text: see headers-footers.ts. `sheet` is the name of a workbook's only sheet.
 */
export type Surroundings = {
  readonly headers: readonly string[];
  readonly footers: readonly string[];
  readonly sheet: string | undefined;
};

export function renderOffice(document: Document, around: Surroundings): string {
  const writer = new OfficeWriter(document.notes);
  const renderParagraphs = (texts: readonly string[]): string =>
    texts.map((text) => `<p>${escapeHtml(text)}</p>\n`).join("");
  const sheet = around.sheet === undefined ? "" : `<h2>${escapeHtml(around.sheet)}</h2>\n`;
  const blocks = writer.renderBlocks(document.blocks, 0);
  const body = `${renderParagraphs(around.headers)}${sheet}${blocks}\n${renderParagraphs(around.footers)}`;
  const title = findTitle(document.blocks) ?? around.sheet;
  const head = title === undefined ? "" : `<title>${escapeHtml(title)}</title>`;
  return `<!doctype html><html><head><meta charset="utf-8">${head}</head><body>\n${body}\n${writer.renderNotes()}</body></html>`;
}

function findTitle(blocks: readonly Block[]): string | undefined {
  const heading = blocks.find(({ kind }) => String(kind) === "heading");
  const text = (heading?.content ?? []).map(toPlainText).join("").trim();
  return text === "" ? undefined : text;
}

const toPlainText = (inline: Inline): string =>
  (inline.text ?? "") + (inline.content ?? []).map(toPlainText).join("");

class OfficeWriter {
  readonly #notes: ReadonlyMap<string, Note>;
  readonly #used: string[] = [];

  constructor(notes: readonly Note[]) {
    this.#notes = new Map(notes.map((note) => [note.id, note]));
  }

  renderBlocks(blocks: readonly Block[], depth: number): string {
    return depth > MAX_DEPTH ? "" : blocks.map((block) => this.#block(block, depth + 1)).join("\n");
  }

  /** Returns the referenced notes, to append to the text. */
  renderNotes(): string {
    const items: string[] = [];
    for (let at = 0; at < this.#used.length; at++) {
      const note = this.#notes.get(this.#used[at] as string);
      const body = note === undefined ? "" : this.renderBlocks(note.blocks, 0);
      items.push(`<li id="fn-${at + 1}">${body} <a href="#fnref-${at + 1}">↩</a></li>`);
    }
    return items.length === 0
      ? ""
      : `<section class="footnotes"><ol>${items.join("")}</ol></section>\n`;
  }

  #block(block: Block, depth: number): string {
    switch (String(block.kind)) {
      case "heading": {
        const level = Math.min(6, Math.max(1, block.level ?? 1));
        return `<h${level}>${this.#renderInlines(block.content ?? [], true)}</h${level}>`;
      }
      case "paragraph":
        return `<p>${this.#renderInlines(block.content ?? [])}</p>`;
      case "list":
        return block.list === undefined ? "" : this.#list(block.list, depth);
      case "table":
        return block.table === undefined ? "" : this.#renderTable(block.table, depth);
      case "blockQuote":
        return `<blockquote>${this.renderBlocks(block.blocks ?? [], depth)}</blockquote>`;
      case "codeBlock": {
        const language =
          block.lang === undefined ? "" : ` class="language-${escapeHtml(block.lang)}"`;
        return `<pre><code${language}>${escapeHtml(block.text ?? "")}</code></pre>`;
      }
      case "rule":
        return "<hr>";
      default:
        return "";
    }
  }

  #list({ marker, start, items }: List, depth: number): string {
    const ordered = String(marker) !== "bullet";
    const name = ordered ? "ol" : "ul";
    const from = ordered && start !== 1 ? ` start="${start}"` : "";
    const entries = items.map(({ blocks, checked, markerLabel }) => {
      const box =
        checked === undefined ? "" : `<input type="checkbox"${checked ? " checked" : ""}> `;
      const label = markerLabel === undefined ? "" : `${escapeHtml(markerLabel)} `;
      const [first, ...rest] = blocks;
      const head =
        first !== undefined && String(first.kind) === "paragraph"
          ? this.#renderInlines(first.content ?? [])
          : this.renderBlocks(blocks.slice(0, 1), depth);
      return `<li>${box}${label}${head}${this.renderBlocks(rest, depth)}</li>`;
    });
    return `<${name}${from}>${entries.join("")}</${name}>`;
  }

  #renderTable({ grid, headerRows, kind }: Table, depth: number): string {
    // A layout table is not a data table: its cells are written in sequence.
    if (String(kind) === "layout")
      return grid
        .flatMap((row) => row.map((slot) => this.renderBlocks(slot.cell?.blocks ?? [], depth)))
        .join("\n");
    const rows = grid.map((row, at) => {
      const name = at < headerRows ? "th" : "td";
      const cells = row.map(({ cell }) => {
        if (cell === undefined) return "";
        const wide = cell.colSpan > 1 ? ` colspan="${cell.colSpan}"` : "";
        const tall = cell.rowSpan > 1 ? ` rowspan="${cell.rowSpan}"` : "";
        return `<${name}${wide}${tall}>${this.renderBlocks(cell.blocks, depth)}</${name}>`;
      });
      return `<tr>${cells.join("")}</tr>`;
    });
    return `<table>${rows.join("\n")}</table>`;
  }

  #renderInlines(content: readonly Inline[], plain = false): string {
    const html = content.map((inline) => this.#renderInline(inline, plain)).join("");
    // Files split text invisibly, so adjacent runs with the same mark are merged.
    return MARKS.reduce((joined, mark) => joined.replaceAll(mark, "$1"), html);
  }

  #renderInline(inline: Inline, plain: boolean): string {
    switch (String(inline.kind)) {
      case "text":
        return renderStyled(inline, plain);
      case "link": {
        const inner = this.#renderInlines(inline.content ?? [], plain);
        const target = inline.target;
        if (target === undefined || String(target.kind) === "anchor") return inner;
        return `<a href="${escapeHtml(target.value)}">${inner}</a>`;
      }
      case "image": {
        const alt = escapeHtml(inline.alt ?? "");
        return inline.source?.url === undefined
          ? alt
          : `<img src="${escapeHtml(inline.source.url)}" alt="${alt}">`;
      }
      case "lineBreak":
        return "<br>";
      case "noteRef":
        return this.#noteReference(inline.noteId ?? "");
      default:
        return "";
    }
  }

  #noteReference(id: string): string {
    if (!this.#notes.has(id)) return "";
    if (!this.#used.includes(id)) this.#used.push(id);
    const number = this.#used.indexOf(id) + 1;
    return `<sup id="fnref-${number}"><a href="#fn-${number}">${number}</a></sup>`;
  }
}

/** From the outermost to the innermost, as `styled` writes them. */
const MARKS = ["strong", "em", "del"].map((name) => new RegExp(`</${name}>(\\s*)<${name}>`, "g"));

function renderStyled({ text = "", style }: Inline, plain: boolean): string {
  const inner = text.trim();
  if (inner === "") return text;
  const start = text.indexOf(inner);
  let html = escapeHtml(inner);
  if (style?.code === true) html = `<code>${html}</code>`;
  if (style?.strike === true) html = `<del>${html}</del>`;
  if (style?.italic === true) html = `<em>${html}</em>`;
  if (style?.bold === true && !plain) html = `<strong>${html}</strong>`;
  return text.slice(0, start) + html + text.slice(start + inner.length);
}
