// The data of a run as tables. A cell shows the words on the page that state it.
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { pluralize, toText } from "../../data/format.ts";
import { iconButton, linkButton } from "../../ui/button.ts";
import { classes, create, dom } from "../../ui/dom.ts";
import { empty } from "../../ui/feedback.ts";
import { badge } from "../../ui/status.ts";
import { useLoad } from "../../ui/use-load.ts";
import { url } from "../../ui/values.ts";
import { toTables, type Row, type Table } from "./trace.ts";

export type Source = {
  readonly url: string;
  readonly text?: string;
  readonly start?: number;
  readonly end?: number;
};
export type Sources = Readonly<Record<string, readonly Source[]>>;

const PAGE = 100;

const pointerOf = ({ pointer }: Row, column: string): string =>
  pointer === ""
    ? `/${column}`
    : `${pointer}/${column.replaceAll("~", "~0").replaceAll("/", "~1")}`;

type Cell = { readonly pointer: string; readonly column: string; readonly value: unknown };

/** Characters of the page shown before and after the words that state a value. */
const CONTEXT = 80;

/** The words of a page that state a value, with what stands around them. */
function Quote({ source, read }: { readonly source: Source; readonly read: ReadText }): VNode {
  const { text = "", start, end } = source;
  const loaded = useLoad((signal) => read(source.url, signal), [source.url]);
  const page = loaded.value;
  if (page === undefined || start === undefined || end === undefined)
    return dom.blockquote({ dir: "auto" }, dom.mark(null, text));
  const from = Math.max(0, start - CONTEXT);
  const to = Math.min(page.length, end + CONTEXT);
  return dom.blockquote(
    { dir: "auto" },
    from > 0 && "… ",
    page.slice(from, start),
    dom.mark(null, page.slice(start, end)),
    page.slice(end, to),
    to < page.length && " …",
  );
}

type EvidenceProps = {
  readonly cell: Cell;
  readonly sources: Sources | undefined;
  readonly read: ReadText;
  readonly onClose: () => void;
};

function evidence({ cell, sources, read, onClose }: EvidenceProps): VNode {
  const found = sources?.[cell.pointer] ?? [];
  return dom.section(
    { class: "panel cell-evidence", "aria-label": "Evidence", "aria-live": "polite" },
    dom.div(
      { class: "panel-head" },
      dom.h3({ class: "grow truncate", dir: "auto" }, `${cell.column}: ${toText(cell.value)}`),
      badge(
        found.length === 0 ? "no evidence" : pluralize(found.length, "source"),
        found.length === 0 ? "amber" : "green",
        found.length === 0 ? "warn" : "check",
      ),
      iconButton({ icon: "cross", label: "Close the evidence", small: true, onClick: onClose }),
    ),
    found.length === 0
      ? dom.p(
          { class: "panel-body small soft" },
          sources === undefined
            ? "Evidence is listed when the run has ended."
            : "No page states this value in these words.",
        )
      : dom.ul(
          { class: "quote-list" },
          ...found.slice(0, 20).map((source, index) =>
            dom.li(
              { key: `${source.url} ${index}` },
              source.text !== undefined && create(Quote, { source, read }),
              dom.div(
                { class: "row" },
                dom.span({ class: "grow truncate" }, url(source.url, 80)),
                linkButton(`/?url=${encodeURIComponent(source.url)}&run=1`, "Open the page", {
                  small: true,
                  icon: "play",
                }),
              ),
            ),
          ),
        ),
  );
}

function tableView(
  table: Table,
  sources: Sources | undefined,
  current: string | undefined,
  shown: number,
  onCell: (cell: Cell) => void,
): VNode {
  return dom.div(
    { class: "table-wrap", tabIndex: 0, role: "region", "aria-label": table.name },
    dom.table(
      { class: "table data-table" },
      dom.caption({ class: "visually-hidden" }, table.name),
      dom.thead(
        null,
        dom.tr(
          null,
          dom.th({ scope: "col", class: "end" }, "#"),
          ...table.columns.map((column) => dom.th({ key: column, scope: "col" }, column)),
        ),
      ),
      dom.tbody(
        null,
        ...table.rows.slice(0, shown).map((row, index) =>
          dom.tr(
            { key: row.pointer, class: "appearing" },
            dom.td({ class: "num end faint" }, index + 1),
            ...table.columns.map((column) => {
              const value = row.fields[column];
              const pointer = pointerOf(row, column);
              if (value === undefined || value === null)
                return dom.td({ key: column, class: "faint" }, "–");
              const isProved = (sources?.[pointer]?.length ?? 0) > 0;
              return dom.td(
                { key: column },
                dom.button(
                  {
                    type: "button",
                    dir: "auto",
                    class: classes(
                      "cell",
                      pointer === current && "current",
                      sources !== undefined && !isProved && "unproved",
                    ),
                    title: isProved ? "Show the evidence" : toText(value),
                    "aria-pressed": pointer === current,
                    onClick: () => onCell({ pointer, column, value }),
                  },
                  toText(value),
                ),
              );
            }),
          ),
        ),
      ),
    ),
  );
}

/** Returns the text of a page as the run read it; undefined if it did not. */
export type ReadText = (url: string, signal: AbortSignal) => Promise<string | undefined>;

export type AgentTableProps = {
  readonly data: unknown;
  readonly read: ReadText;
  /** Undefined while the run is in progress. */
  readonly sources: Sources | undefined;
  readonly isRunning: boolean;
};

export function AgentTable({ data, sources, isRunning, read }: AgentTableProps): VNode {
  const [cell, setCell] = useState<Cell>();
  const [shown, setShown] = useState(PAGE);
  const tables = toTables(data);
  if (tables.length === 0)
    return empty({
      icon: "table",
      title: isRunning ? "Nothing found yet" : "No data",
      text: isRunning
        ? "Rows appear here as pages are read."
        : "The run ended without data; its steps show what was read.",
    });
  return dom.div(
    { class: "stack" },
    cell !== undefined && evidence({ cell, sources, read, onClose: () => setCell(undefined) }),
    ...tables.map((table) =>
      dom.section(
        { key: table.name, class: "panel", "aria-label": table.name },
        dom.div(
          { class: "panel-head" },
          dom.h3({ class: "grow", dir: "auto" }, table.name),
          dom.span({ class: "small soft num" }, pluralize(table.rows.length, "row")),
        ),
        tableView(table, sources, cell?.pointer, shown, setCell),
        table.rows.length > shown &&
          dom.div(
            { class: "panel-body row center" },
            dom.button(
              { type: "button", class: "button small", onClick: () => setShown(shown + PAGE) },
              "More rows",
            ),
          ),
      ),
    ),
  );
}
