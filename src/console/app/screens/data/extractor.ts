// One extractor: its fields and their health, a test on other pages, and learning again.
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { ExtractorBody, RunResponse } from "../../../../contract/extractors/extractor.ts";
import { call } from "../../data/api.ts";
import { pluralize } from "../../data/format.ts";
import { navigate } from "../../router.ts";
import { button } from "../../ui/button.ts";
import { jsonView } from "../../ui/code-view.ts";
import { copyButton } from "../../ui/copy.ts";
import { create, dom } from "../../ui/dom.ts";
import { dialog } from "../../ui/dialog.ts";
import { errorBox, skeleton } from "../../ui/feedback.ts";
import { Field, textInput } from "../../ui/fields.ts";
import { screenHead } from "../../ui/screen-head.ts";
import { badge, statusBadge } from "../../ui/status.ts";
import { reportError, toast } from "../../ui/toast.ts";
import { useLoad } from "../../ui/use-load.ts";
import { meter, url } from "../../ui/values.ts";
import type { ScreenProps } from "../screen-view.ts";
import { ExtractedTable, type ExtractedPage } from "./extractor-result.ts";

const LIST = "/console/data";

function fieldRow(name: string, field: unknown, { health }: ExtractorBody): VNode {
  const { type, path } = field as { readonly type?: string; readonly path?: string };
  const figures = health.fields[name];
  const share =
    figures === undefined || figures.expected === 0 ? 0 : figures.found / figures.expected;
  return dom.tr(
    { key: name },
    dom.td({ dir: "auto" }, name),
    dom.td({ class: "faint" }, type ?? "string"),
    dom.td({ class: "hide-narrow" }, dom.code({ class: "url" }, path ?? "–")),
    dom.td(
      null,
      figures === undefined || figures.expected === 0
        ? dom.span({ class: "tiny faint" }, "no pages yet")
        : dom.span(
            { class: "row" },
            meter(
              [{ share, color: share < 0.7 ? "amber" : "green", label: "found" }],
              `found ${figures.found} of ${figures.expected} times`,
            ),
            dom.span({ class: "num tiny soft no-wrap" }, `${figures.found} / ${figures.expected}`),
            figures.violations > 0 &&
              badge(`${figures.violations} of another type`, "amber", "warn"),
          ),
    ),
  );
}

function Trial({ id, onRun }: { readonly id: string; readonly onRun: () => void }): VNode {
  const [text, setText] = useState("");
  const [pages, setPages] = useState<readonly ExtractedPage[]>();
  const [fault, setFault] = useState<Error>();
  const [isRunning, setRunning] = useState(false);
  const run = (): void => {
    setRunning(true);
    setFault(undefined);
    const urls = text.split(/\s+/).filter((part) => part !== "");
    call<RunResponse>("POST", `/v2/extractors/${id}/run`, { body: { urls } }).then(
      ({ data }) => {
        setPages(data);
        setRunning(false);
        // Its health counts these pages too.
        onRun();
      },
      (error: unknown) => {
        setFault(error instanceof Error ? error : new Error(String(error)));
        setRunning(false);
      },
    );
  };
  return dom.section(
    { class: "stack", "aria-label": "Test on other pages" },
    dom.h2(null, "Test on other pages"),
    dom.form(
      {
        class: "stack",
        onSubmit: (event) => {
          event.preventDefault();
          run();
        },
      },
      create(Field, {
        label: "URLs, one per line, at most 20",
        control: (ties) =>
          textInput({ ...ties, value: text, mono: true, rows: 2, onInput: setText }),
      }),
      dom.div(
        { class: "row" },
        button({
          label: isRunning ? "Running …" : "Run",
          type: "submit",
          icon: "play",
          disabled: isRunning || text.trim() === "",
        }),
      ),
    ),
    fault !== undefined && errorBox(fault),
    isRunning && dom.div({ class: "panel panel-body" }, skeleton(3)),
    !isRunning &&
      pages?.map((page) =>
        dom.div(
          { key: page.url, class: "stack tight" },
          url(page.url, 90),
          create(ExtractedTable, { page, showsPage: true }),
        ),
      ),
  );
}

export function ExtractorScreen({ id = "" }: ScreenProps): VNode {
  const loaded = useLoad(
    async (signal) =>
      (await call<{ data: ExtractorBody }>("GET", `/v2/extractors/${id}`, { signal })).data,
    [id],
  );
  const [isRemoving, setRemoving] = useState(false);
  const [isLearning, setLearning] = useState(false);
  if (loaded.state === "failed" && loaded.value === undefined)
    return errorBox(loaded.error, loaded.reload);
  const extractor = loaded.value;
  if (extractor === undefined)
    return dom.div(
      { class: "stack gap-l" },
      dom.div({ class: "panel panel-body" }, skeleton(2)),
      dom.div({ class: "panel panel-body" }, skeleton(6)),
    );
  const { name, state, version, program, health, problems = [], examples } = extractor;
  const relearn = (): void => {
    setLearning(true);
    call("PATCH", `/v2/extractors/${id}`, { body: { examples } })
      .then(() => {
        toast("Learned again from its examples.");
        loaded.reload();
      }, reportError)
      .finally(() => setLearning(false));
  };
  return dom.div(
    { class: "stack gap-l" },
    screenHead({
      title: name,
      parent: { href: LIST, label: "Data" },
      state: [statusBadge(state), badge(`version ${version}`, "gray", "table")],
      facts: [dom.code(null, id), copyButton(id, "Copy the id")],
      actions: [
        examples !== undefined &&
          button({
            label: isLearning ? "Learning …" : "Learn again",
            icon: "again",
            disabled: isLearning,
            onClick: relearn,
          }),
        button({ label: "Delete", kind: "danger", onClick: () => setRemoving(true) }),
      ],
    }),
    state === "drifted" &&
      dom.div({ class: "notice", role: "status" }, health.reason ?? "The pages have changed."),
    problems.length > 0 &&
      dom.div(
        { class: "notice" },
        dom.ul(
          null,
          ...problems.map(({ field, detail }) =>
            dom.li({ key: field }, dom.strong(null, field), `: ${detail}`),
          ),
        ),
      ),
    dom.section(
      { class: "stack", "aria-label": "Fields" },
      dom.div(
        { class: "row spread" },
        dom.h2(null, "Fields"),
        health.pages > 0 &&
          dom.span({ class: "tiny faint" }, `over ${pluralize(health.pages, "page")}`),
      ),
      dom.div(
        { class: "panel table-wrap" },
        dom.table(
          { class: "table" },
          dom.caption({ class: "visually-hidden" }, "Fields"),
          dom.thead(
            null,
            dom.tr(
              null,
              dom.th({ scope: "col" }, "Field"),
              dom.th({ scope: "col" }, "Type"),
              dom.th({ scope: "col", class: "hide-narrow" }, "Place"),
              dom.th({ scope: "col" }, "Found"),
            ),
          ),
          dom.tbody(
            null,
            ...Object.entries(program.fields).map(([field, rule]) =>
              fieldRow(field, rule, extractor),
            ),
          ),
        ),
      ),
    ),
    create(Trial, { id, onRun: loaded.reload }),
    dom.details(null, dom.summary({ class: "small soft" }, "Program"), jsonView(program)),
    isRemoving &&
      dialog({
        title: `Delete the extractor ${name}?`,
        onClose: () => setRemoving(false),
        body: "Scrapes and batches that name it fail from then on.",
        foot: [
          button({ label: "Keep it", onClick: () => setRemoving(false) }),
          button({
            label: "Delete the extractor",
            kind: "danger-fill",
            onClick: () => {
              call("DELETE", `/v2/extractors/${id}`).then(() => navigate(LIST), reportError);
            },
          }),
        ],
      }),
  );
}
