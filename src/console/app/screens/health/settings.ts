import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { call } from "../../data/api.ts";
import { pluralize } from "../../data/format.ts";
import { dom } from "../../ui/dom.ts";
import { errorBox, skeleton } from "../../ui/feedback.ts";
import { badge } from "../../ui/status.ts";
import { useLoad } from "../../ui/use-load.ts";

type Setting = {
  readonly variable: string;
  readonly group: string;
  readonly value: string;
  readonly source: "default" | "environment" | "command line";
  readonly doc: string;
};

const SOURCES = { default: "gray", environment: "blue", "command line": "violet" } as const;

/** All settings with value and source. They are read at start; changes need a restart. */
export function Settings(): VNode {
  const [words, setWords] = useState("");
  const loaded = useLoad(
    async (signal) =>
      (await call<{ data: readonly Setting[] }>("GET", "/admin/settings", { signal })).data,
    [],
  );
  if (loaded.state === "failed") return errorBox(loaded.error, loaded.reload);
  if (loaded.value === undefined) return skeleton(10);
  const lower = words.toLowerCase();
  const shown = loaded.value.filter(({ variable, doc }) =>
    `${variable} ${doc}`.toLowerCase().includes(lower),
  );
  return dom.div(
    { class: "stack" },
    dom.div(
      { class: "row wrap" },
      dom.input({
        class: "input filter-text",
        type: "search",
        "data-filter": "settings",
        "aria-label": "Part of a setting",
        placeholder: "Filter  ( / )",
        value: words,
        onInput: (event) => setWords(event.currentTarget.value),
      }),
      dom.span(
        { class: "small soft" },
        `${pluralize(shown.length, "setting")}. They are read when the server starts; secrets are not shown.`,
      ),
    ),
    dom.div(
      { class: "panel table-wrap" },
      dom.table(
        { class: "table settings" },
        dom.caption({ class: "visually-hidden" }, "Settings"),
        dom.thead(
          null,
          dom.tr(
            null,
            ...["Setting", "Value", "Source"].map((name) =>
              dom.th({ key: name, scope: "col" }, name),
            ),
          ),
        ),
        dom.tbody(
          null,
          ...shown.map(({ variable, value, source, doc }) =>
            dom.tr(
              { key: variable },
              dom.td(
                null,
                dom.code({ class: "small" }, variable),
                dom.div({ class: "tiny faint setting-help" }, doc),
              ),
              dom.td(
                { class: "mono tiny break" },
                value === "" ? dom.span({ class: "faint" }, "not set") : value,
              ),
              dom.td(null, badge(source, SOURCES[source], source === "default" ? "dash" : "check")),
            ),
          ),
        ),
      ),
    ),
  );
}
