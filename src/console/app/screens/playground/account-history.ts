// Requests of the whole account during the last day. Anyone of the account opens a scrape with its
// result by its link.
import type { VNode } from "preact";
import { call } from "../../data/api.ts";
import { dom } from "../../ui/dom.ts";
import { useLoad } from "../../ui/use-load.ts";
import { time, url } from "../../ui/values.ts";
import { findHistoryPath, type HistoryEntry } from "./history-path.ts";

const SHOWN = 20;

export function AccountHistory(): VNode | null {
  const loaded = useLoad(
    async (signal) =>
      (
        await call<{ data: readonly HistoryEntry[] }>("GET", "/v2/team/activity", {
          query: { limit: SHOWN },
          signal,
        })
      ).data,
    [],
  );
  // The screen works without it.
  if (loaded.value === undefined || loaded.value.length === 0) return null;
  return dom.section(
    { class: "panel" },
    dom.div(
      { class: "panel-head" },
      dom.h2(null, "Requests of this account"),
      dom.span({ class: "tiny faint" }, "the last 24 hours, of all keys"),
    ),
    dom.ul(
      { class: "link-list" },
      ...loaded.value.map((entry) => {
        const path = findHistoryPath(entry);
        const parts = [
          dom.span({ class: "badge" }, entry.endpoint.replaceAll("_", " ")),
          dom.span(
            { class: "grow truncate", dir: "auto" },
            entry.target === null
              ? dom.span(
                  { class: "faint" },
                  entry.endpoint.startsWith("batch") ? "several URLs" : "–",
                )
              : url(entry.target, 70),
          ),
          typeof entry.api_key?.name === "string" &&
            dom.span({ class: "tiny faint truncate hide-narrow", dir: "auto" }, entry.api_key.name),
          time(entry.created_at),
        ];
        return dom.li(
          { key: entry.id },
          path === undefined
            ? dom.div({ class: "link-row" }, ...parts)
            : dom.a({ href: path }, ...parts),
        );
      }),
    ),
  );
}
