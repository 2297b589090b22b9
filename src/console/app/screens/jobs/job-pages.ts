// The results of a job with the text of the opened one, and a search in all of them.
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { formatBytes, formatNumber, pluralize } from "../../data/format.ts";
import { iconButton, linkButton } from "../../ui/button.ts";
import { classes, create, dom } from "../../ui/dom.ts";
import { empty, errorBox, skeleton } from "../../ui/feedback.ts";
import { markdownView } from "../../ui/markdown-view.ts";
import { codeView, jsonView } from "../../ui/code-view.ts";
import { statusBadge } from "../../ui/status.ts";
import { useLoad } from "../../ui/use-load.ts";
import { url } from "../../ui/values.ts";
import { virtualList } from "../../ui/virtual-list.ts";
import { loadDocuments, usePageRows, usePageSearch } from "./page-rows.ts";
import type { PageRow, PageSearch } from "./search-pages.ts";

const ROW_HEIGHT = 53;
const LIST_HEIGHT = 640;

type PreviewProps = {
  readonly path: string;
  readonly row: PageRow;
  readonly onClose: () => void;
};

function Preview({ path, row, onClose }: PreviewProps): VNode {
  const { index, address, title } = row;
  const loaded = useLoad(
    async (signal) => (await loadDocuments(path, index, 1, signal))[0],
    [path, index],
  );
  const document = loaded.value;
  return dom.aside(
    { class: "panel preview", "aria-label": "Preview" },
    dom.div(
      { class: "panel-head" },
      dom.h3({ class: "grow truncate", dir: "auto" }, title === "" ? address : title),
      linkButton(`/?url=${encodeURIComponent(address)}`, "Playground", {
        small: true,
        icon: "play",
      }),
      iconButton({ icon: "cross", label: "Close the preview", small: true, onClick: onClose }),
    ),
    dom.div(
      { class: "panel-body stack", tabIndex: 0, role: "region", "aria-label": "Text of the page" },
      url(address, 90),
      loaded.state === "failed" && errorBox(loaded.error, loaded.reload),
      loaded.state === "loading" && skeleton(10),
      document?.json !== undefined && jsonView(document.json),
      typeof document?.markdown === "string"
        ? markdownView(document.markdown)
        : typeof document?.html === "string"
          ? codeView(document.html, { wrap: true })
          : document !== undefined &&
            document.json === undefined &&
            dom.p({ class: "soft" }, "This result has no text. The export contains all formats."),
    ),
  );
}

type Open = { readonly index: number | undefined; readonly onOpen: (row: PageRow) => void };

function pageRow(row: PageRow, { index, onOpen }: Open): VNode {
  const { address, title, statusCode, verdict, sizeBytes } = row;
  const isOpen = row.index === index;
  return dom.button(
    {
      type: "button",
      class: classes("page-row", isOpen && "current"),
      "aria-expanded": isOpen,
      onClick: () => onOpen(row),
    },
    dom.span(
      { class: "page-name" },
      dom.span({ class: "truncate weight-m", dir: "auto" }, title === "" ? "Untitled" : title),
      dom.span({ class: "truncate tiny" }, url(address, index === undefined ? 90 : 34)),
    ),
    dom.span({ class: "num page-status" }, statusCode ?? "–"),
    dom.span({ class: "page-verdict" }, statusBadge(verdict ?? "–")),
    dom.span({ class: "num end faint page-size" }, formatBytes(sizeBytes)),
  );
}

/** Takes the place of a row until it is loaded. */
const blankRow = (): VNode =>
  dom.span(
    { class: "page-name", "aria-label": "Loading" },
    dom.span({ class: "skeleton", style: { width: "40%" } }),
    dom.span({ class: "skeleton", style: { width: "60%" } }),
  );

function describeSearch({ found, searched, isDone }: PageSearch, count: number): string {
  const all = `${formatNumber(searched)} of ${formatNumber(count)}`;
  return isDone && searched >= count
    ? `${pluralize(found.length, "page")} with these words`
    : `${pluralize(found.length, "page")} with these words, ${all} searched${isDone ? "" : " …"}`;
}

export type JobPagesProps = { readonly path: string; readonly completed: number };

export function JobPages({ path, completed }: JobPagesProps): VNode {
  const [open, setOpen] = useState<PageRow>();
  const [words, setWords] = useState("");
  const pages = usePageRows(path, completed);
  const search = usePageSearch(path, words.trim(), completed);
  const { error, retry } = search ?? pages;
  if (completed === 0)
    return empty({
      icon: "file",
      title: "No pages yet",
      text: "Results appear here as they come in; the first ones within seconds.",
    });
  return dom.div(
    { class: "stack" },
    dom.div(
      { class: "row wrap" },
      dom.input({
        class: "input filter-text",
        type: "search",
        "data-filter": "pages",
        "aria-label": "Words on the pages of this job",
        placeholder: "Words on the pages  ( / )",
        value: words,
        onInput: (event) => setWords(event.currentTarget.value),
      }),
      dom.span(
        { class: "small soft num grow", role: "status" },
        search === undefined ? pluralize(completed, "page") : describeSearch(search, completed),
      ),
      search !== undefined &&
        linkButton(`/console/search?q=${encodeURIComponent(words)}`, "Search all scraped pages", {
          small: true,
          icon: "search",
        }),
    ),
    error !== undefined && errorBox(error, retry),
    dom.div(
      { class: classes("with-preview", open !== undefined && "open") },
      dom.div(
        { class: "panel pages" },
        dom.div(
          { class: "page-head", "aria-hidden": true },
          dom.span({ class: "page-name" }, "Page"),
          dom.span({ class: "page-status" }, "Status"),
          dom.span({ class: "page-verdict" }, "Verdict"),
          dom.span({ class: "page-size end" }, "Size"),
        ),
        search !== undefined && search.found.length === 0
          ? dom.p(
              { class: "panel-body small soft" },
              search.isDone ? "No page of this job contains these words." : "Searching …",
            )
          : virtualList({
              label: "Pages",
              count: search?.found.length ?? completed,
              rowHeight: ROW_HEIGHT,
              height: LIST_HEIGHT,
              row: (index) => {
                const row = search === undefined ? pages.rowAt(index) : search.found[index];
                return row === undefined
                  ? blankRow()
                  : pageRow(row, { index: open?.index, onOpen: setOpen });
              },
              ...(search === undefined && { onRange: pages.show, version: completed }),
            }),
      ),
      open !== undefined &&
        create(Preview, {
          key: open.index,
          path,
          row: open,
          onClose: () => setOpen(undefined),
        }),
    ),
  );
}
