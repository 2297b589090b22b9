// Search over everything that this account has scraped, or the web where a provider is configured.
import { screenHead } from "../../ui/screen-head.ts";
import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { SearchResponse } from "../../../../contract/page/search.ts";
import { call } from "../../data/api.ts";
import { formatDuration, pluralize } from "../../data/format.ts";
import { place, setQuery } from "../../router.ts";
import { button, linkButton } from "../../ui/button.ts";
import { copyButton } from "../../ui/copy.ts";
import { dom } from "../../ui/dom.ts";
import { empty, errorBox, skeleton } from "../../ui/feedback.ts";
import { select } from "../../ui/fields.ts";
import { url } from "../../ui/values.ts";
import { markWords } from "./mark-words.ts";

const TIMES = [
  { value: "", label: "Any time" },
  { value: "qdr:h", label: "Last hour" },
  { value: "qdr:d", label: "Last day" },
  { value: "qdr:w", label: "Last week" },
  { value: "qdr:m", label: "Last month" },
  { value: "qdr:y", label: "Last year" },
] as const;
const STEP = 20;
const MAX_RESULTS = 100;

type Query = {
  readonly words: string;
  readonly host: string;
  readonly within: string;
  readonly limit: number;
};
type Answer = { readonly response: SearchResponse; readonly ms: number; readonly query: Query };
type State = { readonly answer?: Answer; readonly error?: Error; readonly isLoading: boolean };

type Result = NonNullable<SearchResponse["data"]["web"]>[number];

function resultRow(result: Result, words: string): VNode {
  const { title = "", description = "" } = result;
  const scrape = `/?url=${encodeURIComponent(result.url)}&run=1`;
  return dom.li(
    { key: `${result.position} ${result.url}`, class: "search-result" },
    dom.div(
      { class: "row" },
      dom.a(
        { class: "grow truncate weight-m", href: scrape, dir: "auto" },
        title === "" ? result.url : title,
      ),
      copyButton(result.url, "Copy the URL"),
    ),
    url(result.url, 100),
    description !== "" &&
      dom.p({ class: "small soft", dir: "auto" }, ...markWords(description, words)),
  );
}

const SYNTAX: readonly (readonly [example: string, meaning: string])[] = [
  ['"old pier"', "the exact phrase"],
  ["ferry OR ship", "at least one of them"],
  ["-timetable", "without this word"],
  ["site:example.com/docs", "a host, or the beginning of a path"],
  ["intitle:prices", "a word of the title"],
  ["filetype:pdf", "a type of file"],
];

const syntaxHelp = (): VNode =>
  dom.details(
    { class: "fold panel" },
    dom.summary(null, "Query syntax"),
    dom.div(
      { class: "fold-body" },
      dom.dl(
        { class: "details" },
        ...SYNTAX.flatMap(([example, meaning]) => [
          dom.dt({ key: example }, dom.code(null, example)),
          dom.dd({ key: meaning }, meaning),
        ]),
      ),
    ),
  );

export function Search(): VNode {
  const { query } = place.value;
  const words = query.get("q") ?? "";
  const host = query.get("host") ?? "";
  const within = query.get("within") ?? "";
  const limit = Math.min(MAX_RESULTS, Number(query.get("limit") ?? STEP) || STEP);
  const [typed, setTyped] = useState(words);
  const [site, setSite] = useState(host);
  const [state, setState] = useState<State>({ isLoading: false });

  useEffect(() => {
    setTyped(words);
    setSite(host);
    if (words === "") {
      setState({ isLoading: false });
      return undefined;
    }
    const controller = new AbortController();
    const started = performance.now();
    setState((before) => ({ ...before, isLoading: true }));
    const body = {
      query: words,
      limit,
      ...(within !== "" && { tbs: within }),
      ...(host !== "" && { includeDomains: [host] }),
    };
    call<SearchResponse>("POST", "/v2/search", { body, signal: controller.signal }).then(
      (response) =>
        setState({
          isLoading: false,
          answer: {
            response,
            ms: performance.now() - started,
            query: { words, host, within, limit },
          },
        }),
      (error: unknown) => {
        if (controller.signal.aborted) return;
        setState({
          isLoading: false,
          error: error instanceof Error ? error : new Error(String(error)),
        });
      },
    );
    return () => controller.abort();
  }, [words, host, within, limit]);

  const { answer, error, isLoading } = state;
  const results = answer?.response.data.web ?? [];
  return dom.div(
    { class: "stack gap-l" },
    screenHead({
      title: "Search",
      text: "All pages that this account has scraped, and the web if a search engine is configured.",
    }),
    dom.form(
      {
        class: "search-bar",
        role: "search",
        onSubmit: (event) => {
          event.preventDefault();
          setQuery({ q: typed.trim(), host: site.trim(), limit: undefined });
        },
      },
      dom.input({
        class: "input big",
        type: "search",
        "data-filter": "query",
        "aria-label": "Words to search for",
        placeholder: "Words, “phrases”, site:example.com  ( / )",
        value: typed,
        maxLength: 500,
        autofocus: true,
        onInput: (event) => setTyped(event.currentTarget.value),
      }),
      dom.input({
        class: "input big",
        type: "text",
        "aria-label": "Host",
        placeholder: "Any host",
        value: site,
        onInput: (event) => setSite(event.currentTarget.value),
      }),
      select({
        "aria-label": "Fetched within",
        value: within,
        options: TIMES,
        onChange: (next) => setQuery({ within: next }),
      }),
      button({ label: "Search", kind: "primary", type: "submit", disabled: typed.trim() === "" }),
    ),
    error !== undefined && errorBox(error),
    isLoading && answer === undefined && dom.div({ class: "panel panel-body" }, skeleton(8)),
    answer?.response.warning !== undefined &&
      results.length > 0 &&
      dom.div({ class: "notice" }, answer.response.warning),
    answer !== undefined &&
      results.length > 0 &&
      dom.section(
        { class: "panel", "aria-label": "Results", "aria-busy": isLoading },
        dom.div(
          { class: "panel-head small soft num", role: "status" },
          `${pluralize(results.length, "result")} in ${formatDuration(answer.ms)}, ${pluralize(answer.response.creditsUsed, "credit")}`,
        ),
        dom.ol(
          { class: "search-results" },
          ...results.map((result) => resultRow(result, answer.query.words)),
        ),
        results.length >= limit &&
          limit < MAX_RESULTS &&
          dom.div(
            { class: "panel-body row center" },
            button({
              label: "More results",
              small: true,
              disabled: isLoading,
              onClick: () => setQuery({ limit: String(Math.min(MAX_RESULTS, limit + STEP)) }),
            }),
          ),
      ),
    answer !== undefined &&
      results.length === 0 &&
      empty({
        icon: "search",
        title: "No matching pages",
        text: [
          answer.response.warning,
          "Pages are found after this account has scraped them. Try fewer words or another host, or crawl the site first.",
        ]
          .filter((part) => part !== undefined)
          .join(" "),
        action: linkButton("/?mode=crawl", "Crawl a site"),
      }),
    answer === undefined &&
      !isLoading &&
      error === undefined &&
      empty({
        icon: "search",
        title: "Search what you have scraped",
        text: "Each page that a scrape, batch or crawl stores is indexed with title, headings and text, and found here a moment later.",
      }),
    syntaxHelp(),
  );
}
