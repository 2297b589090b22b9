// First run: scrape a page, crawl its site, and use both from a program or an agent.
import { screenHead } from "../../ui/screen-head.ts";
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { Document } from "../../../../contract/page/document.ts";
import { call } from "../../data/api.ts";
import { formatDuration, pluralize } from "../../data/format.ts";
import { liveJobs } from "../../data/job-events.ts";
import { hasScope, session } from "../../data/session.ts";
import { button, linkButton } from "../../ui/button.ts";
import { codeView } from "../../ui/code-view.ts";
import { copyButton } from "../../ui/copy.ts";
import { classes, create, dom } from "../../ui/dom.ts";
import { errorBox, skeleton } from "../../ui/feedback.ts";
import { segments, textInput } from "../../ui/fields.ts";
import { icon } from "../../ui/icons.ts";
import { markdownView } from "../../ui/markdown-view.ts";
import { statusBadge } from "../../ui/status.ts";
import { useLoad } from "../../ui/use-load.ts";
import { meter } from "../../ui/values.ts";
import { CopyAs } from "../playground/copy-as.ts";
import { findMode } from "../playground/modes.ts";
import { MCP_CLIENTS } from "./mcp-clients.ts";
import { loadFirstSteps, markTaken } from "./first-steps.ts";

const SAMPLE = "https://example.com";
const SHOWN_CHARACTERS = 1_200;
const CRAWL_PAGES = 20;

type StepProps = {
  readonly number: number;
  readonly title: string;
  readonly text: string;
  readonly isDone: boolean;
  readonly body: VNode;
};

function step({ number, title, text, isDone, body }: StepProps): VNode {
  return dom.li(
    { class: classes("step panel", isDone && "done") },
    dom.div(
      { class: "step-mark", "aria-hidden": true },
      isDone ? icon("check", { size: 14 }) : number,
    ),
    dom.div(
      { class: "stack grow" },
      dom.div(
        null,
        dom.h2(null, title, isDone && dom.span({ class: "visually-hidden" }, " (done)")),
        dom.p({ class: "small soft" }, text),
      ),
      body,
    ),
  );
}

type Work<T> =
  | { readonly state: "idle" | "running" }
  | { readonly state: "done"; readonly value: T; readonly ms: number }
  | { readonly state: "failed"; readonly error: Error };

function useWork<T>(): readonly [Work<T>, (start: () => Promise<T>) => void] {
  const [work, setWork] = useState<Work<T>>({ state: "idle" });
  const run = (start: () => Promise<T>): void => {
    const since = performance.now();
    setWork({ state: "running" });
    start().then(
      (value) => setWork({ state: "done", value, ms: performance.now() - since }),
      (error: unknown) =>
        setWork({
          state: "failed",
          error: error instanceof Error ? error : new Error(String(error)),
        }),
    );
  };
  return [work, run];
}

type StartFormProps = {
  readonly label: string;
  readonly verb: string;
  readonly value: string;
  readonly isBusy: boolean;
  readonly isPrimary: boolean;
  readonly onInput: (value: string) => void;
  readonly onSubmit: () => void;
};

function startForm(props: StartFormProps): VNode {
  const { label, verb, value, isBusy, isPrimary, onInput, onSubmit } = props;
  return dom.form(
    {
      class: "row",
      onSubmit: (event) => {
        event.preventDefault();
        if (value.trim() !== "" && !isBusy) onSubmit();
      },
    },
    textInput({ "aria-label": label, value, onInput, placeholder: SAMPLE, class: "grow" }),
    button({
      label: verb,
      type: "submit",
      disabled: isBusy || value.trim() === "",
      ...(isPrimary && { kind: "primary" as const }),
    }),
  );
}

type Scraped = { readonly data: Document };

function ScrapeStep({
  address,
  onAddress,
  onDone,
  isDone,
}: {
  readonly address: string;
  readonly onAddress: (address: string) => void;
  readonly onDone: () => void;
  readonly isDone: boolean;
}): VNode {
  const [work, run] = useWork<Scraped>();
  const scrape = (): void =>
    run(async () => {
      const body = { url: address.trim(), formats: ["markdown"] };
      const scraped = await call<Scraped>("POST", "/v2/scrape", { body });
      onDone();
      return scraped;
    });
  const markdown = work.state === "done" ? (work.value.data.markdown ?? "") : "";
  return dom.div(
    { class: "stack" },
    startForm({
      label: "URL of a page",
      verb: "Scrape",
      value: address,
      isBusy: work.state === "running",
      isPrimary: !isDone,
      onInput: onAddress,
      onSubmit: scrape,
    }),
    work.state === "running" && skeleton(4),
    work.state === "failed" && errorBox(work.error, scrape),
    work.state === "done" &&
      dom.div(
        { class: "stack" },
        dom.div(
          { class: "row wrap small" },
          statusBadge(work.value.data.metadata.verdict ?? "completed"),
          dom.span({ class: "num soft" }, formatDuration(work.ms)),
          dom.span({ class: "grow" }),
          linkButton(
            `/?url=${encodeURIComponent(address.trim())}&run=1`,
            "Open it in the playground",
            {
              small: true,
              icon: "play",
            },
          ),
        ),
        dom.div(
          { class: "step-result", tabIndex: 0, role: "region", "aria-label": "Text of the page" },
          markdownView(markdown.slice(0, SHOWN_CHARACTERS)),
        ),
      ),
  );
}

function CrawlStep({
  address,
  onDone,
  isPrimary,
}: {
  readonly address: string;
  readonly onDone: () => void;
  readonly isPrimary: boolean;
}): VNode {
  const [own, setOwn] = useState<string>();
  const [work, run] = useWork<{ readonly id: string }>();
  const site = own ?? URL.parse(address)?.origin ?? SAMPLE;
  const crawl = (): void =>
    run(async () => {
      const body = { url: site.trim(), limit: CRAWL_PAGES };
      const started = await call<{ id: string }>("POST", "/v2/crawl", { body });
      onDone();
      return started;
    });
  const job = work.state === "done" ? liveJobs.value.get(work.value.id) : undefined;
  return dom.div(
    { class: "stack" },
    startForm({
      label: "URL of a site",
      verb: "Crawl",
      value: site,
      isBusy: work.state === "running" || job?.state === "running",
      isPrimary,
      onInput: setOwn,
      onSubmit: crawl,
    }),
    work.state === "failed" && errorBox(work.error, crawl),
    work.state === "done" &&
      dom.div(
        { class: "row wrap small", role: "status" },
        statusBadge(job?.state ?? "running"),
        dom.span({ class: "num" }, `${pluralize(job?.completed ?? 0, "page")} so far`),
        dom.span(
          { class: "grow" },
          meter(
            [
              {
                share: (job?.completed ?? 0) / Math.max(1, job?.total ?? 1),
                color: job?.state === "completed" ? "green" : "blue",
                label: "completed",
              },
            ],
            `${job?.completed ?? 0} of ${job?.total ?? 0} pages`,
          ),
        ),
        linkButton(`/console/jobs/crawl/${work.value.id}`, "Watch it", {
          small: true,
          icon: "jobs",
        }),
      ),
  );
}

function McpSetup({ onCopied }: { readonly onCopied: () => void }): VNode {
  const [chosen, setChosen] = useState(MCP_CLIENTS[0]?.id ?? "");
  const client = MCP_CLIENTS.find(({ id }) => id === chosen) ?? MCP_CLIENTS[0];
  const text = client?.write(location.origin) ?? "";
  return dom.div(
    { class: "stack" },
    dom.div(
      { class: "row spread wrap" },
      segments({
        label: "Client",
        value: chosen,
        options: MCP_CLIENTS.map(({ id, label }) => ({ value: id, label })),
        onChange: setChosen,
      }),
      copyButton(text, "Copy the setup", onCopied),
    ),
    dom.p({ class: "small soft" }, client?.where ?? ""),
    codeView(text, { label: "Setup" }),
  );
}

const keyNote = (): VNode =>
  session.value.mode === "open"
    ? dom.p({ class: "small soft" }, "This server asks for no key; leave the header out.")
    : dom.p(
        { class: "small soft" },
        "The first key is in the file ",
        dom.code(null, "key"),
        " of the data folder. ",
        hasScope("admin")
          ? dom.a({ href: "/console/keys?new=1" }, "Create a key for this program")
          : "An administrator can create others.",
      );

export function Start(): VNode {
  const loaded = useLoad(loadFirstSteps, []);
  const [taken, setTaken] = useState<ReadonlySet<string>>(new Set());
  const [address, setAddress] = useState(SAMPLE);
  const take = (name: "scraped" | "crawled" | "used"): void => {
    setTaken((before) => new Set([...before, name]));
    if (name === "used") markTaken();
  };
  const isDone = (name: "scraped" | "crawled" | "used"): boolean =>
    taken.has(name) || loaded.value?.[name] === true;
  const page = findMode("scrape");
  return dom.div(
    { class: "stack gap-l start-screen" },
    screenHead({
      title: "First steps",
      text: "From a page to a site to your program, in about three minutes.",
      actions: linkButton("/", "Open the playground", { icon: "play" }),
    }),
    dom.ol(
      { class: "stack gap-l" },
      step({
        number: 1,
        title: "Scrape a page",
        text: "Any public address. You get its text without menus and banners.",
        isDone: isDone("scraped"),
        body: create(ScrapeStep, {
          address,
          onAddress: setAddress,
          onDone: () => take("scraped"),
          isDone: isDone("scraped"),
        }),
      }),
      step({
        number: 2,
        title: "Crawl a site",
        text: `Follows links from the first page, up to ${CRAWL_PAGES} pages here. It respects robots.txt and limits its request rate.`,
        isDone: isDone("crawled"),
        body: create(CrawlStep, {
          address,
          onDone: () => take("crawled"),
          isPrimary: isDone("scraped") && !isDone("crawled"),
        }),
      }),
      step({
        number: 3,
        title: "Use it from your program or agent",
        text: "The same request as code, and the server as tools of an agent over MCP.",
        isDone: isDone("used"),
        body: dom.div(
          { class: "stack gap-l" },
          keyNote(),
          create(CopyAs, {
            mode: page,
            body: { url: address.trim() === "" ? SAMPLE : address.trim(), formats: ["markdown"] },
            onCopied: () => take("used"),
          }),
          dom.h3(null, "Agents (MCP)"),
          create(McpSetup, { onCopied: () => take("used") }),
        ),
      }),
    ),
    dom.div(
      { class: "columns three" },
      ...NEXT.map(({ href, symbol, title, text }) =>
        dom.a(
          { class: "panel next-card", href, key: href },
          icon(symbol),
          dom.strong(null, title),
          dom.span({ class: "small soft" }, text),
        ),
      ),
    ),
  );
}

const NEXT = [
  {
    href: "/?mode=agent",
    symbol: "agent",
    title: "Collect data",
    text: "Describe a table; the agent reads the pages and fills it, with evidence for each value.",
  },
  {
    href: "/console/search",
    symbol: "search",
    title: "Search your pages",
    text: "Find words and phrases in everything that you have scraped.",
  },
  {
    href: "/console/health",
    symbol: "health",
    title: "Check the server",
    text: "Load, usage, errors and how to fix them.",
  },
] as const;
