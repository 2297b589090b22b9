// Converts blocks to semantic HTML.
import type { Content, Inline, List, TableCell } from "./layout/block.ts";

export const escapeHtml = (text: string): string =>
  text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");

export function toHtml(block: Content): string {
  switch (block.kind) {
    case "heading":
      return `<h${block.level}>${renderInlines(block.content)}</h${block.level}>`;
    case "paragraph":
      return `<p>${renderInlines(block.content)}</p>`;
    case "footnote":
      return renderFootnote(block.content, block.label);
    case "quote":
      return `<blockquote><p>${renderInlines(block.content)}</p></blockquote>`;
    case "code":
      return `<pre><code>${escapeHtml(block.text)}</code></pre>`;
    case "table":
      return renderTable(block.rows);
    case "list":
      return listHtml(block);
  }
}

/** Uses ids as pages do, so that references link to the note. */
function renderFootnote(content: readonly Inline[], label: string | undefined): string {
  const name = label === undefined ? "" : ` id="fn-${label}"`;
  const mark = label === undefined ? "" : `<sup>${label}</sup> `;
  return `<p${name}>${mark}${renderInlines(content)}</p>`;
}

export function renderInlines(content: readonly Inline[]): string {
  return content.map(markHtml).join("");
}

/** Returns the text inside its marks; spaces at its ends stay outside. */
function markHtml(inline: Inline): string {
  const text = inline.text.trim();
  if (text === "") return inline.text;
  const start = inline.text.indexOf(text);
  const before = inline.text.slice(0, start);
  const after = inline.text.slice(start + text.length);
  let html = escapeHtml(text);
  if (inline.mono === true) html = `<code>${html}</code>`;
  if (inline.italic === true) html = `<em>${html}</em>`;
  if (inline.bold === true) html = `<strong>${html}</strong>`;
  if (inline.note !== undefined)
    return `${before}<sup><a href="#fn-${inline.note}" id="fnref-${inline.note}">${escapeHtml(text)}</a></sup>${after}`;
  if (inline.raised === true) html = `<sup>${html}</sup>`;
  if (inline.href !== undefined) html = `<a href="${escapeHtml(inline.href)}">${html}</a>`;
  return before + html + after;
}

function renderTable(rows: readonly (readonly TableCell[])[]): string {
  const lines = rows.map((row) => {
    const cells = row.map(({ content, columns, rows: span, header }) => {
      const name = header ? "th" : "td";
      const wide = columns > 1 ? ` colspan="${columns}"` : "";
      const tall = span > 1 ? ` rowspan="${span}"` : "";
      return `<${name}${wide}${tall}>${renderInlines(content)}</${name}>`;
    });
    return `<tr>${cells.join("")}</tr>`;
  });
  return `<table>${lines.join("")}</table>`;
}

function listHtml({ ordered, start, items }: List): string {
  const name = ordered ? "ol" : "ul";
  const from = ordered && start !== 1 ? ` start="${start}"` : "";
  const entries = items.map(
    ({ content, children }) =>
      `<li>${renderInlines(content)}${children.map(listHtml).join("")}</li>`,
  );
  return `<${name}${from}>${entries.join("")}</${name}>`;
}
