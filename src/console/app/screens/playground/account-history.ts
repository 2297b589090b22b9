// Requests of the whole account during the last day. Anyone of the account opens a scrape with its
// result by its link.
import type { VNode } from "preact";
import type { Monitor } from "../../../../contract/jobs/monitor-report.ts";
import { call } from "../../data/api.ts";
import { create, dom } from "../../ui/dom.ts";
import { useLoad } from "../../ui/use-load.ts";
import { moreRows, usePages } from "../../ui/use-long-list.ts";
import { time, url } from "../../ui/values.ts";
import { virtualList } from "../../ui/virtual-list.ts";
import { findFileName, findHistoryPath, type HistoryEntry } from "./history-path.ts";

const PAGE = 50;
const ROW_HEIGHT = 40;
const LIST_HEIGHT = 12.5 * ROW_HEIGHT;

type Page = { readonly data: readonly HistoryEntry[]; readonly cursor: string | null };

/** Names of monitors by id, as long as the console is open. */
const monitorNames = new Map<string, Promise<string>>();

async function loadMonitorName(id: string): Promise<string> {
  const { data } = await call<{ data: Monitor }>("GET", `/v2/monitor/${encodeURIComponent(id)}`);
  const [target] = data.targets;
  const { url: start, urls: [address = start] = [] } = (target ?? {}) as {
    readonly url?: string;
    readonly urls?: readonly string[];
  };
  return address === undefined || address === data.name ? data.name : `${data.name} · ${address}`;
}

/** A check is recorded with the id of its monitor. */
function MonitorName({ id }: { readonly id: string }): VNode {
  const loaded = useLoad(() => {
    const known = monitorNames.get(id) ?? loadMonitorName(id);
    monitorNames.set(id, known);
    return known;
  }, [id]);
  return loaded.state === "failed"
    ? dom.span({ class: "faint" }, "a deleted monitor")
    : dom.span({ title: loaded.value ?? "" }, loaded.value ?? "…");
}

function target({ endpoint, target: given }: HistoryEntry): VNode {
  if (given === null)
    return dom.span({ class: "faint" }, endpoint.startsWith("batch") ? "several URLs" : "–");
  if (endpoint === "monitor") return create(MonitorName, { id: given });
  const fileName = findFileName(given);
  return fileName === undefined ? url(given, 70) : dom.span(null, fileName);
}

function row(entry: HistoryEntry): VNode {
  const path = findHistoryPath(entry);
  const parts = [
    dom.span({ class: "badge" }, entry.endpoint.replaceAll("_", " ")),
    dom.span({ class: "grow truncate", dir: "auto" }, target(entry)),
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
