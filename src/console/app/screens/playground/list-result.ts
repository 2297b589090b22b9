// Result list of a map or search. Each URL can be opened as its own scrape.
import type { VNode } from "preact";
import { formatDuration, pluralize } from "../../data/format.ts";
import { linkButton } from "../../ui/button.ts";
import { jsonView } from "../../ui/code-view.ts";
import { copyButton } from "../../ui/copy.ts";
import { create, dom } from "../../ui/dom.ts";
import { empty } from "../../ui/feedback.ts";
import { tabPanel, tabs } from "../../ui/tabs.ts";
import { url } from "../../ui/values.ts";
import { virtualList } from "../../ui/virtual-list.ts";

export type FoundResult = {
  readonly url: string;
  readonly title?: string;
  readonly description?: string;
};
export type ListAnswer = Readonly<Record<string, unknown>>;

const isFound = (value: unknown): value is FoundResult =>
  typeof value === "object" &&
  value !== null &&
  typeof (value as { url?: unknown }).url === "string";

/** The entries of a map or of all sources of a search. */
export function readFound({ links, data }: ListAnswer): FoundResult[] {
  const lists = [
    links,
    ...(typeof data === "object" && data !== null ? Object.values(data) : []),
    data,
  ];
  const found = lists.flatMap((list) => (Array.isArray(list) ? (list as unknown[]) : []));
  return found.flatMap((entry) =>
    typeof entry === "string" ? [{ url: entry }] : isFound(entry) ? [entry] : [],
  );
}

const ROW_HEIGHT = 52;

function row({ url: address, title, description }: FoundResult): VNode {
  return dom.div(
    { class: "row grow spread" },
    dom.div(
      { class: "grow found" },
      dom.div({ class: "truncate", dir: "auto" }, title ?? url(address, 100)),
      dom.div(
        { class: "truncate tiny faint", dir: "auto" },
        title === undefined ? description : url(address, 100),
      ),
    ),
    copyButton(address, "Copy the URL"),
    linkButton(`/?url=${encodeURIComponent(address)}&run=1`, "Scrape", { small: true }),
  );
}

export type ListResultProps = {
  readonly answer: ListAnswer;
  readonly ms: number;
  readonly tab: string | undefined;
  readonly onTab: (tab: string) => void;
};

function ListResultView({ answer, ms, tab = "list", onTab }: ListResultProps): VNode {
  const found = readFound(answer);
  const { warning } = answer;
  return dom.div(
    { class: "panel result" },
    dom.div(
      { class: "result-summary" },
      dom.strong({ class: "small num" }, pluralize(found.length, "result")),
      dom.span({ class: "small soft num" }, formatDuration(ms)),
      dom.span({ class: "grow" }),
      copyButton(() => found.map(({ url: address }) => address).join("\n"), "Copy all URLs"),
    ),
    typeof warning === "string" && dom.div({ class: "notice result-notice" }, warning),
    tabs({
      label: "Result",
      tabs: [
        { id: "list", label: "Results", count: found.length },
        { id: "raw", label: "Raw" },
      ],
      current: tab,
      onChange: onTab,
    }),
    tab === "raw"
      ? tabPanel("raw", jsonView(answer))
      : tabPanel(
          "list",
          found.length === 0
            ? empty({
                icon: "search",
                title: "No results",
                text: "Try other words, or remove filters in the options.",
              })
            : virtualList({
                label: "Results",
                count: found.length,
                rowHeight: ROW_HEIGHT,
                height: 600,
                row: (index) => {
                  const one = found[index];
                  return one && row(one);
                },
              }),
        ),
  );
}

export const listResult = (props: ListResultProps): VNode => create(ListResultView, props);
