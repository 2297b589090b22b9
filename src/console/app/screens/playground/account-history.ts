// Requests of the whole account during the last day. Anyone of the account opens a scrape with its
// result by its link.
import type { VNode } from "preact";
import { call } from "../../data/api.ts";
import { dom } from "../../ui/dom.ts";
import { moreRows, usePages } from "../../ui/use-long-list.ts";
import { time } from "../../ui/values.ts";
import { virtualList } from "../../ui/virtual-list.ts";
import { findHistoryPath, type HistoryEntry } from "./history-path.ts";
import { historyTarget } from "./history-target.ts";

const PAGE = 50;
const ROW_HEIGHT = 40;
const LIST_HEIGHT = 12.5 * ROW_HEIGHT;

type Page = { readonly data: readonly HistoryEntry[]; readonly cursor: string | null };

function row(entry: HistoryEntry): VNode {
  const path = findHistoryPath(entry);
  const parts = [
    dom.span(
      { class: "link-kind" },
      dom.span({ class: "badge" }, entry.endpoint.replaceAll("_", " ")),
    ),
    dom.span({ class: "grow truncate", dir: "auto" }, historyTarget(entry)),
    typeof entry.api_key?.name === "string" &&
      dom.span({ class: "tiny faint truncate hide-narrow", dir: "auto" }, entry.api_key.name),
    time(entry.created_at),
  ];
  return path === undefined
    ? dom.div({ class: "link-row" }, ...parts)
    : dom.a({ class: "link-row", href: path }, ...parts);
}

export function AccountHistory(): VNode | null {
  const list = usePages<HistoryEntry, string>({
    load: async (cursor, signal) => {
      const query = { limit: PAGE, cursor };
      const page = await call<Page>("GET", "/v2/team/activity", { query, signal });
      return { rows: page.data, cursor: page.cursor };
    },
    filters: [],
  });
  const { rows } = list;
  // The screen works without it.
  if (rows === undefined || rows.length === 0) return null;
  return dom.section(
    { class: "panel" },
    dom.div(
      { class: "panel-head" },
      dom.h2(null, "Requests of this account"),
      dom.span({ class: "tiny faint" }, "the last 24 hours, of all keys"),
    ),
    virtualList({
      label: "Requests of this account",
      class: "link-rows",
      count: rows.length,
      rowHeight: ROW_HEIGHT,
      height: LIST_HEIGHT,
      row: (index) => {
        const entry = rows[index];
        return entry && row(entry);
      },
      onRange: (_first, last) => list.showTo(last),
      version: rows.length,
    }),
    list.fault !== undefined && moreRows(list, ""),
  );
}
