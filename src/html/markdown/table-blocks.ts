// Tables: collected cell by cell and written as a grid at their end. Layout tables become plain
// blocks.
import { type Element, isTag } from "domhandler";
import { isAdmonition } from "../clean/note-marks.ts";
import { readAttribute, foldSpace, readText, type Visit } from "../parse/tree.ts";
import { resolveName } from "./elements.ts";
import type { ConversionState } from "./conversion-state.ts";
import { findIconText, findPictureSign } from "./labels.ts";
import { type MarkPath, NO_MARKS, withMark } from "./marks.ts";
import { isLayoutTable, type TreeFacts } from "./tree-facts.ts";
import { type Cell, type Row, toTable } from "./table.ts";

type Table = { readonly rows: Row[]; cells: Cell[] | undefined };

export class TableBlocks {
  readonly #state: ConversionState;
  readonly #treeFacts: TreeFacts;
  readonly #tables: Table[] = [];

  constructor(state: ConversionState, treeFacts: TreeFacts) {
    this.#state = state;
    this.#treeFacts = treeFacts;
  }

  table(element: Element): Visit {
    const facts = this.#treeFacts.tables.get(element);
    if (facts?.hasGutter === true) {
      this.#state.codeBlock(element);
      return "skip";
    }
    this.#state.edge();
    if (!this.#state.allowsBlocks || isLayoutTable(element, facts)) return this.#state.intoBlock();
    this.#tables.push({ rows: [], cells: undefined });
    return this.#state.into(endTable, this.#tables);
  }

  /**
   * Enters a row or cell of the table being collected, or of one that is written as plain blocks or
   * inside a cell.
   */
  part(element: Element): Visit {
    const table = this.#tables.at(-1);
    const name = resolveName(element);
    const collecting = table !== undefined && this.#state.allowsBlocks;
    if (!collecting) {
      if (name === "td" && this.#state.allowsBlocks && isNoteIcon(element)) {
        this.#state.edge();
        this.#state.run.text(
          foldSpace(readText(element, 60)) || findIconText(element),
          withMark(NO_MARKS, "strong"),
        );
        this.#state.edge();
        return "skip";
      }
      if (this.#state.allowsBlocks || name === "tr" || name === "caption") {
        this.#state.edge();
        return this.#state.intoBlock();
      }
      if (element.prev !== null) this.#state.run.text(", ", NO_MARKS);
      return this.#state.into();
    }
    if (name === "tr") {
      const { parent } = element;
      const cells: Cell[] = [];
      table.cells = cells;
      table.rows.push({
        cells,
        inHead: parent !== null && isTag(parent) && parent.name === "thead",
      });
      return this.#state.into();
    }
    let { cells } = table;
    if (cells === undefined) {
      cells = [];
      table.cells = cells;
      table.rows.push({ cells, inHead: false });
    }
    const outer = this.#state.marks;
    this.#state.marks = NO_MARKS;
    this.#state.openSink(name === "caption" ? "blank" : "tag");
    return this.#state.into(endCell, { element, row: cells, outer });
  }
}

/** True for the cell in which AsciiDoc names the kind of the note beside it. */
function isNoteIcon(cell: Element): boolean {
  if (readAttribute(cell, "class") !== "icon") return false;
  let { parent } = cell;
  for (let level = 0; level < 4 && parent !== null && isTag(parent); level++) {
    if (isAdmonition(readAttribute(parent, "class"))) return true;
    ({ parent } = parent);
  }
  return false;
}

function endTable(state: ConversionState, tables: Table[]): void {
  state.flush();
  const text = toTable(tables.pop()?.rows ?? []);
  if (text !== "") state.writer.block("table", text);
}

type OpenCell = { readonly element: Element; readonly row: Cell[]; readonly outer: MarkPath };

function endCell(state: ConversionState, { element, row, outer }: OpenCell): void {
  const text = state.closeSink();
  state.marks = outer;
  if (element.name !== "caption")
    row.push(toCell(element, text === "" ? findIconText(element) : findPictureSign(text) || text));
  else if (text !== "") state.writer.block("paragraph", text);
}

function toCell(element: Element, text: string): Cell {
  const span = (name: string, max: number): number => {
    const value = Number.parseInt(readAttribute(element, name), 10);
    // rowspan="0" reaches to the end of the table (HTML §4.9.11).
    if (name === "rowspan" && value === 0) return max;
    return Number.isNaN(value) || value < 1 ? 1 : Math.min(max, value);
  };
  const written =
    /text-align:\s*(left|center|right)/i.exec(readAttribute(element, "style"))?.[1] ??
    readAttribute(element, "align");
  const align = written.toLowerCase();
  return {
    text: text.replace(/\|/g, "\\|").replace(/\n/g, " "),
    columns: span("colspan", 1_000),
    rows: span("rowspan", 65_534),
    isHeader: resolveName(element) === "th",
    align: align === "left" || align === "center" || align === "right" ? align : "",
  };
}
