// The results of a job, page by page, with the text of the opened one.
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { Document } from "../../../../contract/page/document.ts";
import { call } from "../../data/api.ts";
import { formatBytes, formatNumber } from "../../data/format.ts";
import { button, iconButton, linkButton } from "../../ui/button.ts";
import { classes, create, dom } from "../../ui/dom.ts";
import { empty, errorBox, skeleton } from "../../ui/feedback.ts";
import { markdownView } from "../../ui/markdown-view.ts";
import { codeView, jsonView } from "../../ui/code-view.ts";
import { statusBadge } from "../../ui/status.ts";
import { useLoad } from "../../ui/use-load.ts";
import { url } from "../../ui/values.ts";

type Results = { readonly data: readonly Document[]; readonly next?: string };

const PAGE = 25;

const addressOf = ({ metadata }: Document): string => metadata.sourceURL ?? metadata.url ?? "";

const hasWords = (document: Document, words: string): boolean =>
  words === "" ||
  `${addressOf(document)} ${String(document.metadata.title ?? "")} ${document.markdown ?? ""}`
    .toLowerCase()
    .includes(words.toLowerCase());

function Preview({
  document,
  onClose,
}: {
  readonly document: Document;
  readonly onClose: () => void;
}): VNode {
  const address = addressOf(document);
  return dom.aside(
    { class: "panel preview", "aria-label": "Preview" },
    dom.div(
      { class: "panel-head" },
      dom.h3(
        { class: "grow truncate", dir: "auto" },
        typeof document.metadata.title === "string" ? document.metadata.title : address,
      ),
      linkButton(`/?url=${encodeURIComponent(address)}`, "Playground", {
        small: true,
        icon: "play",
      }),
      iconButton({ icon: "cross", label: "Close the preview", small: true, onClick: onClose }),
    ),
    dom.div(
      { class: "panel-body stack", tabIndex: 0, role: "region", "aria-label": "Text of the page" },
      url(address, 90),
      document.json !== undefined && jsonView(document.json),
      typeof document.markdown === "string"
        ? markdownView(document.markdown)
        : typeof document.html === "string"
          ? codeView(document.html, { wrap: true })
          : document.json === undefined &&
            dom.p({ class: "soft" }, "This result has no text; the export has all formats."),
    ),
  );
}

export function JobPages({
  path,
  completed,
}: {
  readonly path: string;
  readonly completed: number;
}): VNode {
  const [skip, setSkip] = useState(0);
  const [open, setOpen] = useState<string>();
  const [words, setWords] = useState("");
  // A full page does not change any more.
  const version = completed >= skip + PAGE ? "full" : completed;
  const loaded = useLoad(
    (signal) => call<Results>("GET", path, { query: { skip, limit: PAGE }, signal }),
    [path, skip, version],
  );
  if (loaded.state === "failed") return errorBox(loaded.error, loaded.reload);
  if (loaded.value === undefined) return skeleton(8);
  const { data } = loaded.value;
  if (data.length === 0 && skip === 0)
    return empty({
      icon: "file",
      title: "No pages yet",
      text: "Results appear here as they come in; the first ones within seconds.",
    });
  const shown = data.filter((document) => hasWords(document, words));
  const current = data.find((document) => addressOf(document) === open);
  return dom.div(
    { class: "stack" },
    dom.div(
      { class: "row wrap" },
      dom.input({
        class: "input filter-text",
        type: "search",
        "data-filter": "pages",
        "aria-label": "Words on these pages",
        placeholder: "Words on these pages  ( / )",
        value: words,
        onInput: (event) => setWords(event.currentTarget.value),
      }),
      words !== "" &&
        linkButton(`/console/search?q=${encodeURIComponent(words)}`, "Search all pages", {
          small: true,
          icon: "search",
        }),
      dom.span({ class: "grow" }),
      dom.span(
        { class: "small soft num" },
        `${formatNumber(skip + 1)}–${formatNumber(skip + data.length)} of ${formatNumber(completed)}`,
      ),
      button({
        label: "Previous",
        small: true,
        disabled: skip === 0,
        onClick: () => setSkip(Math.max(0, skip - PAGE)),
      }),
      button({
        label: "Next",
        small: true,
        disabled: skip + PAGE >= completed,
        onClick: () => setSkip(skip + PAGE),
      }),
    ),
    dom.div(
      { class: classes("with-preview", current !== undefined && "open") },
      dom.div(
        { class: "panel table-wrap" },
        dom.table(
          { class: "table" },
          dom.caption({ class: "visually-hidden" }, "Pages"),
          dom.thead(
            null,
            dom.tr(
              null,
              ...["Page", "Status", "Verdict", "Size"].map((name, at) =>
                dom.th({ key: name, scope: "col", class: at === 3 ? "end" : "" }, name),
              ),
            ),
          ),
          dom.tbody(
            null,
            ...shown.map((document) => {
              const address = addressOf(document);
              const { title, statusCode, verdict } = document.metadata;
              return dom.tr(
                {
                  key: address,
                  class: classes("openable", address === open && "current"),
                  onClick: () => setOpen(address),
                },
                dom.td(
                  { class: "result-cell" },
                  dom.button(
                    {
                      type: "button",
                      class: "cell-button truncate",
                      dir: "auto",
                      "aria-expanded": address === open,
                    },
                    typeof title === "string" && title !== "" ? title : "Untitled",
                  ),
                  dom.div({ class: "truncate" }, url(address, 80)),
                ),
                dom.td({ class: "num" }, statusCode ?? "–"),
                dom.td(null, statusBadge(verdict ?? "–")),
                dom.td({ class: "num end faint" }, formatBytes((document.markdown ?? "").length)),
              );
            }),
          ),
        ),
        shown.length === 0 &&
          dom.p({ class: "panel-body small soft" }, "None of these pages has the words."),
      ),
      current !== undefined &&
        create(Preview, { key: open ?? "", document: current, onClose: () => setOpen(undefined) }),
    ),
  );
}
