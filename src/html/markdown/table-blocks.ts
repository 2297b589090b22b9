// Tables: collected cell by cell and written as a grid at their end. Layout tables become plain
// blocks.
import { type Element, isTag } from "domhandler";
import { isAdmonition } from "../clean/note-marks.ts";
import { attributeOf, foldSpace, textOf, type Visit } from "../parse/tree.ts";
import { meantName } from "./elements.ts";
import type { Flow } from "./flow.ts";
import { iconText, pictureSign } from "./labels.ts";
import { type MarkPath, NO_MARKS, withMark } from "./marks.ts";
import { isLayoutTable, type Survey } from "./survey.ts";
import { type Cell, type Row, toTable } from "./table.ts";

type Table = { readonly rows: Row[]; cells: Cell[] | undefined };

export class TableBlocks {
  readonly #flow: Flow;
  readonly #survey: Survey;
  readonly #tables: Table[] = [];

  constructor(flow: Flow, survey: Survey) {
    this.#flow = flow;
    this.#survey = survey;
  }

  table(element: Element): Visit {
    const facts = this.#survey.tables.get(element);
    if (facts?.hasGutter === true) {
      this.#flow.codeBlock(element);
      return "skip";
    }
    this.#flow.edge();
    if (!this.#flow.isFlow || isLayoutTable(element, facts)) return this.#flow.intoBlock();
    this.#tables.push({ rows: [], cells: undefined });
    return this.#flow.into(endTable, this.#tables);
  }

  /**
   * Enters a row or cell of the table being collected, or of one that is written as plain blocks or
   * inside a cell.
   */
  part(element: Element): Visit {
    const table = this.#tables.at(-1);
    const name = meantName(element);
    const collecting = table !== undefined && this.#flow.isFlow;
    if (!collecting) {
      if (name === "td" && this.#flow.isFlow && isNoteIcon(element)) {
        this.#flow.edge();
        this.#flow.run.text(
          foldSpace(textOf(element, 60)) || iconText(element),
          withMark(NO_MARKS, "strong"),
        );
        this.#flow.edge();
        return "skip";
      }
      if (this.#flow.isFlow || name === "tr" || name === "caption") {
        this.#flow.edge();
        return this.#flow.intoBlock();
      }
      if (element.prev !== null) this.#flow.run.text(", ", NO_MARKS);
      return this.#flow.into();
    }
    if (name === "tr") {
      const { parent } = element;
      const cells: Cell[] = [];
      table.cells = cells;
      table.rows.push({
        cells,
        inHead: parent !== null && isTag(parent) && parent.name === "thead",
      });
      return this.#flow.into();
    }
    let { cells } = table;
    if (cells === undefined) {
      cells = [];
      table.cells = cells;
      table.rows.push({ cells, inHead: false });
    }
    const outer = this.#flow.marks;
    this.#flow.marks = NO_MARKS;
    this.#flow.openSink(name === "caption" ? "blank" : "tag");
    return this.#flow.into(endCell, { element, row: cells, outer });
  }
}

/** True for the cell in which AsciiDoc names the kind of the note beside it. */
function isNoteIcon(cell: Element): boolean {
  if (attributeOf(cell, "class") !== "icon") return false;
  let { parent } = cell;
  for (let level = 0; level < 4 && parent !== null && isTag(parent); level++) {
    if (isAdmonition(attributeOf(parent, "class"))) return true;
    ({ parent } = parent);
  }
  return false;
}

function endTable(flow: Flow, tables: Table[]): void {
  flow.flush();
  const text = toTable(tables.pop()?.rows ?? []);
  if (text !== "") flow.writer.block("table", text);
}

type OpenCell = { readonly element: Element; readonly row: Cell[]; readonly outer: MarkPath };

function endCell(flow: Flow, { element, row, outer }: OpenCell): void {
  const text = flow.closeSink();
  flow.marks = outer;
  if (element.name !== "caption")
    row.push(toCell(element, text === "" ? iconText(element) : pictureSign(text) || text));
  else if (text !== "") flow.writer.block("paragraph", text);
}

function toCell(element: Element, text: string): Cell {
  const span = (name: string, most: number): number => {
    const value = Number.parseInt(attributeOf(element, name), 10);
    // rowspan="0" reaches to the end of the table (HTML §4.9.11).
    if (name === "rowspan" && value === 0) return most;
    return Number.isNaN(value) || value < 1 ? 1 : Math.min(most, value);
  };
  const written =
    /text-align:\s*(left|center|right)/i.exec(attributeOf(element, "style"))?.[1] ??
    attributeOf(element, "align");
  const align = written.toLowerCase();
  return {
    text: text.replace(/\|/g, "\\|").replace(/\n/g, " "),
    columns: span("colspan", 1_000),
    rows: span("rowspan", 65_534),
    isHeader: meantName(element) === "th",
    align: align === "left" || align === "center" || align === "right" ? align : "",
  };
}
