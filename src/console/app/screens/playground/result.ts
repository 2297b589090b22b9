// Result of a scrape in tabs. The requested formats come first; the explaining views are always
// present.
import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Document } from "../../../../contract/page/document.ts";
import {
  formatBytes,
  formatDuration,
  formatNumber,
  pluralize,
  toOwnAddress,
  toText,
} from "../../data/format.ts";
import { codeView, jsonView } from "../../ui/code-view.ts";
import { copyButton } from "../../ui/copy.ts";
import { create, dom } from "../../ui/dom.ts";
import { empty } from "../../ui/feedback.ts";
import { segments } from "../../ui/fields.ts";
import { markdownView } from "../../ui/markdown-view.ts";
import { pageFrame } from "../../ui/page-frame.ts";
import { badge, statusBadge } from "../../ui/status.ts";
import { tabPanel, tabs, type Tab } from "../../ui/tabs.ts";
import { url } from "../../ui/values.ts";
import { Evidence } from "./evidence.ts";
import { Interact } from "./interact.ts";
import type { ScrapeAnswer } from "./scrape-answer.ts";
import { waterfall } from "./waterfall.ts";
import { Why } from "./why.ts";

export type ResultProps = {
  readonly answer: ScrapeAnswer;
  readonly ms: number | undefined;
  readonly request: Readonly<Record<string, unknown>> | undefined;
  readonly tab: string | undefined;
  readonly onTab: (tab: string) => void;
};

const MAX_LISTED = 2_000;

const bytesOf = (text: string): number => new TextEncoder().encode(text).length;

function Source({
  name,
  text,
  rendered,
}: {
  readonly name: string;
  readonly text: string;
  readonly rendered: (() => VNode) | undefined;
}): VNode {
  const [view, setView] = useState(rendered === undefined ? "source" : "rendered");
  return dom.div(
    { class: "stack" },
    dom.div(
      { class: "row spread" },
      dom.span(
        { class: "tiny faint num" },
        formatBytes(bytesOf(text)),
        " · ",
        pluralize(text.split(/\s+/).filter(Boolean).length, "word"),
      ),
      dom.div(
        { class: "row" },
        rendered !== undefined &&
          segments({
            label: `View of ${name}`,
            value: view,
            options: [
              { value: "rendered", label: "Rendered" },
              { value: "source", label: "Source" },
            ],
            onChange: setView,
          }),
        copyButton(text, `Copy the ${name}`),
      ),
    ),
    view === "rendered" && rendered !== undefined
      ? rendered()
      : codeView(text, { wrap: true, label: name }),
  );
}

function listView(name: string, items: readonly string[]): VNode {
  if (items.length === 0)
    return empty({ icon: "link", title: `No ${name}`, text: `The page has none.` });
  return dom.div(
    { class: "stack" },
    dom.div(
      { class: "row spread" },
      dom.span({ class: "tiny faint num" }, pluralize(items.length, "address", "addresses")),
      copyButton(() => items.join("\n"), `Copy all ${name}`),
    ),
    dom.ul(
      { class: "plain-list" },
      ...items.slice(0, MAX_LISTED).map((item, index) => dom.li({ key: index }, url(item, 110))),
    ),
    items.length > MAX_LISTED &&
      dom.p(
        { class: "tiny faint" },
        `And ${formatNumber(items.length - MAX_LISTED)} more; copy takes all.`,
      ),
  );
}

function metadataView(document: Document, sources: Readonly<Record<string, string>>): VNode {
  const entries = Object.entries(document.metadata).filter(
    ([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0),
  );
  return dom.div(
    { class: "table-wrap" },
    dom.table(
      { class: "table" },
      dom.caption({ class: "visually-hidden" }, "Metadata"),
      dom.thead(
        null,
        dom.tr(
          null,
          ...["Name", "Value", "Source"].map((name) => dom.th({ key: name, scope: "col" }, name)),
        ),
      ),
      dom.tbody(
        null,
        ...entries.map(([name, value]) =>
          dom.tr(
            { key: name },
            dom.td({ class: "mono tiny" }, name),
            dom.td(
              { dir: "auto", class: "break" },
              typeof value === "string" ? value : JSON.stringify(value),
            ),
            dom.td({ class: "faint tiny" }, sources[name] ?? ""),
          ),
        ),
      ),
    ),
  );
}

/** Returns the schema of the requested json format. */
function schemaOf(request: ResultProps["request"]): unknown {
  const formats = request?.["formats"];
  if (!Array.isArray(formats)) return undefined;
  const json = (formats as unknown[]).find(
    (one): one is { readonly schema?: unknown } =>
      typeof one === "object" &&
      one !== null &&
      /json/i.test(toText((one as { type?: unknown }).type)),
  );
  return json?.schema;
}

type View = Tab & { readonly show: () => VNode };

function listViews({ answer, request }: ResultProps): View[] {
  const { data: document, explanation } = answer;
  const views: View[] = [];
  const add = (id: string, label: string, show: () => VNode, count?: number): void =>
    void views.push({ id, label, show, count });
  const source = (
    id: string,
    label: string,
    text: string | null | undefined,
    rendered?: (text: string) => VNode,
  ): void => {
    if (typeof text === "string")
      add(id, label, () =>
        create(Source, {
          key: id,
          name: label,
          text,
          rendered: rendered && (() => rendered(text)),
        }),
      );
  };
  if (document !== undefined) {
    const page = (html: string): VNode => pageFrame({ title: "The page", html, kind: "page" });
    const shot = document.screenshot;
    source("markdown", "Markdown", document.markdown, markdownView);
    source("summary", "Summary", document.summary, markdownView);
    source("answer", "Answer", document.answer, markdownView);
    if (document.json !== undefined) add("json", "JSON", () => jsonView(document.json));
    source("html", "HTML", document.html, page);
    source("rawHtml", "Raw HTML", document.rawHtml, page);
    if (document.links !== undefined)
      add("links", "Links", () => listView("links", document.links ?? []), document.links.length);
    if (document.images !== undefined)
      add(
        "images",
        "Images",
        () => listView("images", document.images ?? []),
        document.images.length,
      );
    if (typeof shot === "string")
      add("screenshot", "Screenshot", () =>
        dom.img({ class: "shot", src: toOwnAddress(shot), alt: "Picture of the page" }),
      );
    if (document.json !== undefined)
      add("evidence", "Evidence", () =>
        create(Evidence, { document, overlay: explanation?.overlay, schema: schemaOf(request) }),
      );
  }
  add("why", "Why", () => create(Why, { answer, request, key: document?.metadata.scrapeId ?? "" }));
  if (explanation !== undefined) add("waterfall", "Waterfall", () => waterfall(explanation));
  const scrapeId = document?.metadata.scrapeId;
  // A file that was parsed has no live page.
  if (request !== undefined && scrapeId !== undefined)
    add("interact", "Interact", () => create(Interact, { key: scrapeId, scrapeId }));
  if (document !== undefined)
    add("metadata", "Metadata", () => metadataView(document, explanation?.metadataSources ?? {}));
  const { explanation: _left, ...raw } = answer;
  add("raw", "Raw", () => jsonView(raw));
  return views;
}

function summary({ answer, ms }: ResultProps): VNode {
  const { data: document, explanation } = answer;
  const { metadata } = document ?? {};
  const attempts = explanation?.attempts.length ?? 0;
  return dom.div(
    { class: "result-summary" },
    statusBadge(metadata?.verdict ?? explanation?.verdict?.kind ?? "failed"),
    metadata?.statusCode !== undefined && dom.span({ class: "num small" }, metadata.statusCode),
    ms !== undefined && dom.span({ class: "num small soft" }, formatDuration(ms)),
    attempts > 0 && dom.span({ class: "small soft" }, pluralize(attempts, "engine")),
    explanation?.cache === "hit" && badge("from the cache", "violet", "clock"),
    metadata?.creditsUsed !== undefined &&
      dom.span({ class: "small soft num" }, pluralize(metadata.creditsUsed, "credit")),
    typeof metadata?.title === "string" &&
      dom.strong(
        { class: "small truncate result-title", dir: "auto", title: metadata.title },
        metadata.title,
      ),
  );
}

export function Result(props: ResultProps): VNode {
  const views = listViews(props);
  const current = views.find(({ id }) => id === props.tab) ?? views[0];
  const { warning } = props.answer.data ?? {};
  const failed = props.answer.data?.metadata.error;
  useEffect(() => {
    document
      .querySelector(".result .tab[aria-selected='true']")
      ?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [current?.id]);
  return dom.div(
    { class: "panel result" },
    summary(props),
    typeof warning === "string" && dom.div({ class: "notice result-notice" }, warning),
    typeof failed === "string" && dom.div({ class: "notice result-notice" }, failed),
    tabs({ label: "Result", tabs: views, current: current?.id ?? "", onChange: props.onTab }),
    current !== undefined && tabPanel(current.id, current.show()),
  );
}
