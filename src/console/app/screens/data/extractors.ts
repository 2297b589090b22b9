// Stored extractors: learned once, run on any page of their template.
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { call } from "../../data/api.ts";
import { navigate } from "../../router.ts";
import { button, linkButton } from "../../ui/button.ts";
import { dom } from "../../ui/dom.ts";
import { empty, errorBox, skeleton } from "../../ui/feedback.ts";
import { screenHead } from "../../ui/screen-head.ts";
import { badge, statusBadge } from "../../ui/status.ts";
import { reportError } from "../../ui/toast.ts";
import { useLoad } from "../../ui/use-load.ts";
import { time } from "../../ui/values.ts";

type Summary = {
  readonly id: string;
  readonly name: string;
  readonly version: number;
  readonly state: "ready" | "drifted";
  readonly source: string;
  readonly updatedAt: string;
};
type Page = { readonly data: readonly Summary[]; readonly cursor: string | null };

const PAGE = 50;
const NEW = "/console/data/new";

export const extractorPath = (id: string): string => `/console/data/${id}`;

const SOURCES: Readonly<Record<string, string>> = {
  program: "written",
  examples: "learned from examples",
  rules: "learned by rules",
  model: "learned with a model",
};

function row({ id, name, version, state, source, updatedAt }: Summary): VNode {
  return dom.tr(
    { key: id, class: "openable", onClick: () => navigate(extractorPath(id)) },
    dom.td(null, statusBadge(state)),
    dom.td(
      { class: "job-target" },
      dom.a({ class: "job-link", href: extractorPath(id), dir: "auto" }, name),
    ),
    dom.td({ class: "hide-narrow" }, badge(SOURCES[source] ?? source, "gray", "table")),
    dom.td({ class: "num end hide-narrow" }, version),
    dom.td({ class: "num end faint" }, time(updatedAt)),
  );
}

export function ExtractorList(): VNode {
  const [more, setMore] = useState<Page>();
  const loaded = useLoad(
    (signal) => call<Page>("GET", "/v2/extractors", { query: { limit: PAGE }, signal }),
    [],
  );
  const list = [...(loaded.value?.data ?? []), ...(more?.data ?? [])];
  const cursor = more === undefined ? loaded.value?.cursor : more.cursor;
  const loadMore = (): void => {
    if (typeof cursor !== "string") return;
    call<Page>("GET", "/v2/extractors", { query: { limit: PAGE, cursor } }).then(
      (next) => setMore({ ...next, data: [...(more?.data ?? []), ...next.data] }),
      reportError,
    );
  };
  return dom.div(
    { class: "stack gap-l" },
    screenHead({
      title: "Data",
      text: "Extractors: learned from a page by pointing at values, then run on any page of the template.",
      // The empty state has its own button.
      actions:
        list.length > 0 && linkButton(NEW, "New extractor", { kind: "primary", icon: "plus" }),
    }),
    loaded.state === "failed" && errorBox(loaded.error, loaded.reload),
    loaded.value === undefined &&
      loaded.state === "loading" &&
      dom.div({ class: "panel panel-body" }, skeleton(6)),
    loaded.value !== undefined &&
      (list.length === 0
        ? empty({
            icon: "tap",
            title: "No extractors yet",
            text: "Open a page, click the values that you want, and the rest of the page’s records light up.",
            action: linkButton(NEW, "Point at values", { kind: "primary" }),
          })
        : dom.div(
            { class: "panel table-wrap" },
            dom.table(
              { class: "table" },
              dom.caption({ class: "visually-hidden" }, "Extractors"),
              dom.thead(
                null,
                dom.tr(
                  null,
                  dom.th({ scope: "col" }, "State"),
                  dom.th({ scope: "col" }, "Extractor"),
                  dom.th({ scope: "col", class: "hide-narrow" }, "Origin"),
                  dom.th({ scope: "col", class: "end hide-narrow" }, "Version"),
                  dom.th({ scope: "col", class: "end" }, "Changed"),
                ),
              ),
              dom.tbody(null, ...list.map(row)),
            ),
          )),
    typeof cursor === "string" &&
      dom.div({ class: "row center" }, button({ label: "Older", icon: "down", onClick: loadMore })),
  );
}
