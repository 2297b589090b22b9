// Pages whose versions are kept, and monitors.
import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { PageHistory } from "../../../../contract/page/change-history.ts";
import { call } from "../../data/api.ts";
import { formatNumber } from "../../data/format.ts";
import { navigate, place, setQuery } from "../../router.ts";
import { button, linkButton } from "../../ui/button.ts";
import { create, dom } from "../../ui/dom.ts";
import { empty, skeleton } from "../../ui/feedback.ts";
import { screenHead } from "../../ui/screen-head.ts";
import { tabPanel, tabs } from "../../ui/tabs.ts";
import { moreRows, startFault, useLongList } from "../../ui/use-long-list.ts";
import { time, url } from "../../ui/values.ts";
import { changeBars } from "./change-bars.ts";
import { MonitorForm } from "./monitor-form.ts";
import { MonitorList } from "./monitor-list.ts";

type Page = { readonly histories: readonly PageHistory[]; readonly before: number | null };

const FILTER_MS = 250;
const PAGE = 50;

export const historyPath = ({ id }: Pick<PageHistory, "id">): string =>
  `/console/changes/pages/${id}`;

const TRACKED = `/?options=${encodeURIComponent(
  JSON.stringify({ formats: ["markdown", { type: "changeTracking", modes: ["git-diff"] }] }),
)}`;

function row(history: PageHistory, index: number): VNode {
  const changes = history.points.filter(({ changed }) => changed).length;
  return dom.tr(
    {
      key: history.id,
      class: "openable",
      "aria-rowindex": index + 2,
      onClick: () => navigate(historyPath(history)),
    },
    dom.td(
      { class: "job-target" },
      dom.a({ href: historyPath(history), class: "job-link truncate" }, url(history.url, 44)),
      history.tag !== null &&
        dom.div({ class: "tiny faint truncate", dir: "auto" }, `tag ${history.tag}`),
    ),
    dom.td(
      { class: "hide-narrow" },
      changeBars(
        history.points.map(({ fetchedAt, changed }) => ({
          at: fetchedAt,
          level: changed ? 1 : 0,
          tone: changed ? "amber" : "gray",
        })),
        `${changes} changes in ${history.versions} versions`,
      ),
    ),
    dom.td({ class: "num end hide-narrow" }, formatNumber(history.versions)),
    dom.td(
      { class: "num end" },
      history.lastChangedAt === null
        ? dom.span({ class: "faint" }, "no change")
        : time(history.lastChangedAt),
    ),
    dom.td({ class: "num end faint hide-narrow" }, time(history.lastFetchedAt)),
  );
}

function Pages(): VNode {
  const filter = place.value.query.get("text") ?? "";
  const [text, setText] = useState(filter);
  const list = useLongList<PageHistory, number>({
    name: "changes",
    load: async (before, signal) => {
      const query = { text: filter, limit: PAGE, before };
      const page = await call<Page>("GET", "/v2/changes", { query, signal });
      return { rows: page.histories, cursor: page.before };
    },
    filters: [filter],
    readOrder: ({ lastFetchedAt }) => lastFetchedAt,
  });
  const { shown: rows, sight } = list;
  useEffect(() => {
    if (text === filter) return undefined;
    const timer = setTimeout(() => setQuery({ text }), FILTER_MS);
    return () => clearTimeout(timer);
  }, [text]);
  if (list.rows === undefined && filter === "")
    return dom.div(null, startFault(list) || dom.div({ class: "panel panel-body" }, skeleton(6)));
  if (rows.length === 0 && list.isWhole && filter === "")
    return empty({
      icon: "changes",
      title: "No page versions yet",
      text: [
        "Scrape a page with the format ",
        dom.code(null, "changeTracking"),
        ", at least twice. A monitor does this on a schedule and notifies you.",
      ],
      action: dom.div(
        { class: "row wrap center" },
        linkButton(TRACKED, "Scrape with changeTracking", { kind: "primary" }),
        button({ label: "New monitor", onClick: () => setQuery({ new: "monitor" }) }),
      ),
    });
  return dom.div(
    { class: "stack" },
    dom.div(
      { class: "row" },
      dom.input({
        class: "input filter-text",
        type: "search",
        "data-filter": "text",
        "aria-label": "Part of the URL",
        placeholder: "URL  ( / )",
        value: text,
        onInput: (event) => setText(event.currentTarget.value),
      }),
    ),
    startFault(list),
    rows.length === 0
      ? list.isWhole
        ? empty({
            icon: "search",
            title: "No matching pages",
            text: "Clear the filter to see all pages.",
            action: button({
              label: "Clear the filter",
              onClick: () => {
                setText("");
                setQuery({ text: undefined });
              },
            }),
          })
        : list.fault === undefined && dom.div({ class: "panel panel-body" }, skeleton(6))
      : dom.div(
          { class: "panel table-wrap" },
          dom.table(
            { class: "table long", "aria-rowcount": list.isWhole ? rows.length + 1 : -1 },
            dom.caption({ class: "visually-hidden" }, "Pages with versions"),
            dom.thead(
              null,
              dom.tr(
                null,
                dom.th({ scope: "col" }, "Page"),
                dom.th(
                  { scope: "col", class: "hide-narrow", style: { width: "240px" } },
                  "Versions and changes",
                ),
                dom.th(
                  { scope: "col", class: "end hide-narrow", style: { width: "72px" } },
                  "Kept",
                ),
                dom.th({ scope: "col", class: "end", style: { width: "120px" } }, "Last change"),
                dom.th(
                  { scope: "col", class: "end hide-narrow", style: { width: "112px" } },
                  "Last fetch",
                ),
              ),
            ),
            dom.tbody(
              { ref: sight.body },
              ...sight.rows((index) => {
                const history = rows[index];
                return history && row(history, index);
              }),
            ),
          ),
        ),
    moreRows(list, "Loading older pages …"),
  );
}

export function Changes(): VNode {
  const { query } = place.value;
  const tab = query.get("tab") === "monitors" ? "monitors" : "pages";
  return dom.div(
    { class: "stack gap-l" },
    screenHead({
      title: "Changes",
      text: "Page versions, their differences, and monitors that notify you.",
      actions: button({
        label: "New monitor",
        kind: "primary",
        icon: "plus",
        onClick: () => setQuery({ new: "monitor" }),
      }),
    }),
    tabs({
      label: "Changes",
      tabs: [
        { id: "pages", label: "Pages" },
        { id: "monitors", label: "Monitors" },
      ],
      current: tab,
      onChange: (next) => setQuery({ tab: next, text: undefined }),
    }),
    tabPanel(tab, tab === "pages" ? create(Pages, {}) : create(MonitorList, {})),
    query.get("new") === "monitor" &&
      create(MonitorForm, {
        url: query.get("url") ?? "",
        onClose: () => setQuery({ new: undefined, url: undefined }),
        onSaved: (id) => navigate(`/console/changes/monitors/${id}`),
      }),
  );
}
