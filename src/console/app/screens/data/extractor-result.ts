// Result of an extractor for one page: each value and its place on the page.
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { RunResponse } from "../../../../contract/extractors/extractor.ts";
import { toText } from "../../data/format.ts";
import { button } from "../../ui/button.ts";
import { classes, create, dom } from "../../ui/dom.ts";
import { empty } from "../../ui/feedback.ts";
import { badge } from "../../ui/status.ts";
import { url } from "../../ui/values.ts";
import { LitPage } from "./lit-page.ts";
import { listTexts } from "./picks.ts";

export type ExtractedPage = RunResponse["data"][number];
type Row = { readonly pointer: string; readonly value: Readonly<Record<string, unknown>> };

const MAX_ROWS = 200;

/** The records of the data; an object is one record. */
export function toRows(json: unknown): Row[] {
  const wrap = (value: unknown, pointer: string): Row[] =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? [{ pointer, value: value as Row["value"] }]
      : [];
  if (Array.isArray(json)) return json.flatMap((one, at) => wrap(one, `/${at}`));
  const entries = Object.entries((json ?? {}) as Record<string, unknown>);
  const [only] = entries;
  // A page of records gives {"records": [...]}.
  if (entries.length === 1 && only !== undefined && Array.isArray(only[1])) {
    const rows = only[1].flatMap((one, at) => wrap(one, `/${only[0]}/${at}`));
    if (rows.length > 0) return rows;
  }
  return wrap(json, "");
}

const escapePointer = (name: string): string => name.replaceAll("~", "~0").replaceAll("/", "~1");

export type ExtractedTableProps = {
  readonly page: ExtractedPage;
  /** Offers the page with its values lit up. */
  readonly showsPage?: boolean;
};

export function ExtractedTable({ page, showsPage = false }: ExtractedTableProps): VNode {
  const [chosen, setChosen] = useState<string>();
  const [isPageOpen, setPageOpen] = useState(false);
  const rows = toRows(page.json);
  const columns = [...new Set(rows.flatMap(({ value }) => Object.keys(value)))];
  const evidence = page.jsonEvidence ?? {};
  const place = chosen === undefined ? undefined : evidence[chosen];
  if (page.error !== undefined)
    return dom.div(
      { class: "error-box", role: "alert" },
      url(page.url, 70),
      dom.strong({ dir: "auto" }, page.error),
    );
  if (rows.length === 0)
    return empty({
      icon: "table",
      title: "No data",
      text: page.warning ?? "The page has no value at the places that the extractor knows.",
    });
  return dom.div(
    { class: "stack" },
    page.warning !== undefined && dom.div({ class: "notice" }, page.warning),
    dom.div(
      { class: "panel table-wrap" },
      dom.table(
        { class: "table data-table" },
        dom.caption({ class: "visually-hidden" }, `Data of ${page.url}`),
        dom.thead(
          null,
          dom.tr(
            null,
            ...columns.map((name) => dom.th({ key: name, scope: "col", dir: "auto" }, name)),
          ),
        ),
        dom.tbody(
          null,
          ...rows.slice(0, MAX_ROWS).map(({ pointer, value }) =>
            dom.tr(
              { key: pointer },
              ...columns.map((name) => {
                const at = `${pointer}/${escapePointer(name)}`;
                const given = value[name];
                return dom.td(
                  { key: name },
                  given === undefined || given === null
                    ? dom.span({ class: "faint" }, "–")
                    : dom.button(
                        {
                          type: "button",
                          class: classes(
                            "cell",
                            at === chosen && "current",
                            evidence[at] === undefined && "unproved",
                          ),
                          dir: "auto",
                          "aria-pressed": at === chosen,
                          onClick: () => setChosen(at === chosen ? undefined : at),
                        },
                        toText(given),
                      ),
                );
              }),
            ),
          ),
        ),
      ),
    ),
    chosen !== undefined &&
      dom.div(
        { class: "panel panel-body stack tight", role: "status" },
        place === undefined
          ? badge("no evidence", "amber", "warn")
          : [
              dom.div(
                { class: "row wrap small" },
                badge(place.source, "green", "check"),
                place.selector !== undefined && dom.code({ class: "url" }, place.selector),
              ),
              dom.blockquote({ dir: "auto" }, dom.mark(null, place.text)),
            ],
      ),
    rows.length > MAX_ROWS &&
      dom.p({ class: "small soft" }, `The first ${MAX_ROWS} of ${rows.length} records.`),
    showsPage &&
      dom.div(
        { class: "row" },
        button({
          label: isPageOpen ? "Hide the page" : "Show on the page",
          icon: "eye",
          small: true,
          onClick: () => setPageOpen(!isPageOpen),
        }),
        dom.span(
          { class: "tiny faint" },
          "Click a value above to light up only its place. The page is one scrape.",
        ),
      ),
    isPageOpen &&
      create(LitPage, {
        url: page.url,
        texts: place === undefined ? listTexts(page.json) : [place.text],
      }),
  );
}
