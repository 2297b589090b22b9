// Runs the tools of a run: each call is a step of the journal, and its answer a text for the model.
import { rankLinks } from "../../crawl/map/map-ranking.ts";
import { Deadline } from "../../deadline.ts";
import { PRICES, computeSearchPrice } from "../../contract/account/prices.ts";
import { QuarryError, StorageError } from "../../errors.ts";
import { fenceText, buildMark } from "./conversation.ts";
import { CallGuard, REPEATED } from "./call-guard.ts";
import { CollectFault } from "./collect.ts";
import { describeTables } from "../tables/describe-tables.ts";
import { QueryFault } from "../tables/query-table.ts";
import { TableTools } from "./table-tools.ts";
import type { Findings } from "./findings.ts";
import type { ListSite } from "../pages/list-site.ts";
import { buildOutline, cutPiece, splitSections } from "../pages/page-text.ts";
import {
  showPage,
  toStep,
  type NotedLink,
  type PageNote,
  type PageReader,
  type ReadRequest,
} from "../pages/read-page.ts";
import type { StoredRun } from "../run.ts";
import type { AgentRunContext } from "../agent-run-context.ts";
import { relax } from "../answer/target.ts";
import type { CheckedCall, ToolArguments, ToolName } from "./tools.ts";
import type { ToolCall } from "../../models/model.ts";

export type FoundPage = {
  readonly url: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
};

export type SearchPages = (
  query: string,
  accountId: string,
  deadline: Deadline,
) => Promise<readonly FoundPage[]>;

export type ToolParts = {
  readonly reader: PageReader;
  /** Undefined when no search is available. */
  readonly search: SearchPages | undefined;
  /** Lists the pages of a site's sitemaps and earlier fetches. */
  readonly listSite?: ListSite | undefined;
};

const FIRST_CHARACTERS = 5_000;
const PIECE_CHARACTERS = 8_000;
const MAX_OUTLINE_CHARACTERS = 3_000;
const MAX_LINKS = 40;
const MAX_MAPPED = 100;
const SEARCH_TIMEOUT_MS = 30_000;

/** The result of a call: the text for the model, and the page the conversation keeps. */
type ToolReply = {
  readonly page?: PageNote;
  readonly text: string;
  /** Short form that replaces it when the conversation gets too long. */
  readonly summary?: string;
};

/** The answer to a call. */
export type CallAnswer = {
  readonly content: string;
  readonly summary?: string;
  /** The call was refused because it repeats others. */
  readonly isRefused?: boolean;
};

export class RunTools {
  readonly names: readonly ToolName[];
  readonly #parts: ToolParts;
  readonly #work: AgentRunContext;
  readonly #findings: Findings;
  readonly #mark: string;
  readonly #pages = new Map<string, PageNote>();
  readonly #tables: TableTools;
  readonly #guard = new CallGuard();
  #news = false;

  constructor(parts: ToolParts, work: AgentRunContext, findings: Findings) {
    this.#parts = parts;
    this.#work = work;
    this.#findings = findings;
    this.#mark = buildMark(work.run.id);
    this.#tables = new TableTools(parts.reader, work, findings, this.#pages);
    const isOpen = !work.scope.isStrict;
    this.names = [
      ...(parts.search !== undefined && isOpen ? (["search"] as const) : []),
      ...(isOpen ? (["map"] as const) : []),
      "scrape",
      "read",
      ...(isOpen ? (["interact"] as const) : []),
      "collect",
      "query",
      "note",
      "finish",
    ];
  }

  /** True if data was stored since the last call of this method. */
  hasNews(): boolean {
    const news = this.#news;
    this.#news = false;
    return news;
  }

  /**
   * Runs calls concurrently, then reads pages one by one; returns the answers by call. Steps are
   * numbered in the same order in every replay. Repeated calls get a notice or are refused.
   */
  async runAll(calls: readonly CheckedCall[]): Promise<Map<ToolCall, CallAnswer>> {
    const contents = new Map<ToolCall, CallAnswer>();
    const allowed: CheckedCall[] = [];
    const repeated = new Set<CheckedCall>();
    for (const call of calls) {
      const { refusal, isRepeated } = this.#guard.check(call);
      if (refusal !== undefined) contents.set(call.call, { content: refusal, isRefused: true });
      else allowed.push(call);
      if (isRepeated) repeated.add(call);
    }
    const answer = (call: CheckedCall, result: PromiseSettledResult<ToolReply>): void => {
      const own = this.#answerTo(call, result);
      contents.set(
        call.call,
        repeated.has(call) ? { ...own, content: `${REPEATED}\n${own.content}` } : own,
      );
    };
    const isInTurn = ({ name }: CheckedCall): boolean => name === "collect" || name === "query";
    const together = allowed.filter((call) => !isInTurn(call));
    const settled = await Promise.allSettled(together.map((call) => this.#run(call)));
    for (const [index, result] of settled.entries()) {
      const call = together[index];
      if (call !== undefined) answer(call, result);
    }
    for (const call of allowed.filter(isInTurn)) {
      const [result] = await Promise.allSettled([this.#run(call)]);
      answer(call, result);
    }
    return contents;
  }

  /** The answer of a call is no longer in the conversation, so it may be made again. */
  forget(call: ToolCall): void {
    this.#guard.forget(call);
  }

  #answerTo({ name, given }: CheckedCall, result: PromiseSettledResult<ToolReply>): CallAnswer {
    if (result.status === "rejected")
      return { content: describeFailure(result.reason, this.#mark) };
    const { page, text, summary } = result.value;
    if (page === undefined) {
      const again = `${name} ${JSON.stringify(given).slice(0, 200)}`;
      return { content: text, summary: summary ?? `[removed; call again: ${again}]` };
    }
    const id = `p${this.#pages.size + 1}`;
    this.#pages.set(id, page);
    this.#findings.addPage(page);
    return { content: this.#describe(id, page), summary: this.#summarize(id, page) };
  }

  /** Takes the model's final answer and returns its faults. */
  async finish({
    data,
    message,
    evidence = [],
    rows = {},
  }: ToolArguments<"finish">): Promise<{ message: string | undefined; faults: readonly string[] }> {
    const quotes = new Map(evidence.map(({ pointer, quote }) => [pointer, quote]));
    const given = Object.keys(rows).length === 0 ? undefined : this.#tables.resolveRows(rows);
    const faults = this.#findings.finish(data, quotes, given);
    this.#news = true;
    await this.#work.journal.runStep(
      { tool: "finish", input: { message: message ?? "" }, maxCredits: 0 },
      async () => ({ output: null, credits: 0, shown: { faults } }),
    );
    return { message, faults };
  }

  /** Nothing is awaited before the step starts, so the steps of one turn are numbered in order. */
  #run(call: CheckedCall): Promise<ToolReply> {
    switch (call.name) {
      case "search":
        return this.#search(call.given);
      case "map":
        return this.#map(call.given);
      case "scrape":
        return this.#scrape(call.given);
      case "interact":
        return this.#interact(call.given);
      case "read":
        return this.#read(call.given);
      case "collect":
        return this.#tables.collect(call.given);
      case "query":
        return this.#tables.query(call.given);
      case "note":
        return this.#note(call.given);
      case "finish":
        return Promise.resolve({ text: "" });
    }
  }

  async #search({ query }: ToolArguments<"search">): Promise<ToolReply> {
    const { journal, run, scope } = this.#work;
    const { search } = this.#parts;
    const maxCredits = computeSearchPrice(10);
    const found = await journal.runStep(
      { tool: "search", input: { query }, maxCredits },
      async (signal) => {
        using deadline = Deadline.start(SEARCH_TIMEOUT_MS, signal);
        const output = (await search?.(query, run.accountId, deadline)) ?? [];
        const credits = computeSearchPrice(output.length);
        return { output, credits, shown: { results: output.length } };
      },
    );
    const given = (run.options as StoredRun).urls ?? [];
    // Search results may be read if the caller gave no URLs.
    if (given.length === 0) for (const { url } of found) scope.open(new URL(url));
    const lines = found
      .filter(({ url }) => scope.allows(new URL(url)))
      .map(({ url, title = "", description = "" }) => `${url} ${title}: ${description}`);
    return { text: fenceText(this.#mark, "results", lines.join("\n") || "Nothing was found.") };
  }

  async #map({ url, search }: ToolArguments<"map">): Promise<ToolReply> {
    const { journal, run, scope } = this.#work;
    const input = { url, ...(search === undefined ? {} : { search }) };
    const words = search ?? (run.options as StoredRun).prompt;
    const { reader, listSite } = this.#parts;
    const note = await journal.runStep(
      { tool: "map", input, maxCredits: reader.highestPrice([]) },
      async (signal) => {
        const { note: page } = await reader.read({ url, forModel: true, run, scope, signal });
        const named =
          (await listSite?.(
            { start: new URL(page.url), accountId: run.accountId, scope },
            signal,
          )) ?? [];
        const links = this.#findBestLink([...page.links, ...named], words).slice(0, MAX_MAPPED);
        const output = { ...page, markdown: "", links };
        return toStep({ note: output, credits: PRICES.map }, { links: links.length });
      },
    );
    const links = this.#formatLinks(note, words, MAX_MAPPED);
    return { text: fenceText(this.#mark, "links", links) };
  }

  async #scrape({ url, extract = false }: ToolArguments<"scrape">): Promise<ToolReply> {
    const { schema, prompt } = this.#work.run.options as StoredRun;
    const formats =
      extract && schema !== undefined ? [{ type: "json", schema: relax(schema), prompt }] : [];
    const input = { url, ...(extract ? { extract } : {}) };
    return await this.#readPage("scrape", input, { url, formats });
  }

  async #interact({ url, actions }: ToolArguments<"interact">): Promise<ToolReply> {
    return await this.#readPage("interact", { url, actions }, { url, actions });
  }

  /** Reads a page as a step of the journal. */
  async #readPage(
    tool: "scrape" | "interact",
    input: Readonly<Record<string, unknown>>,
    wishes: Pick<ReadRequest, "url"> & Partial<Pick<ReadRequest, "formats" | "actions">>,
  ): Promise<ToolReply> {
    const { journal, run, scope } = this.#work;
    const maxCredits = this.#parts.reader.highestPrice(wishes.formats ?? []);
    const page = await journal.runStep({ tool, input, maxCredits }, async (signal) => {
      const read = await this.#parts.reader.read({ ...wishes, forModel: true, run, scope, signal });
      return toStep(read, showPage(read.note));
    });
    return { page, text: "" };
  }

  async #read({ page: id, section, from }: ToolArguments<"read">): Promise<ToolReply> {
    const input = {
      page: id,
      ...(section === undefined ? {} : { section }),
      ...(from === undefined ? {} : { from }),
    };
    const text = this.#cutPiece(id, section, from);
    await this.#work.journal.runStep({ tool: "read", input, maxCredits: 0 }, async () => ({
      output: null,
      credits: 0,
      shown: { characters: text.length },
    }));
    return { text };
  }

  #cutPiece(id: string, section: string | undefined, from: number | undefined): string {
    const page = this.#pages.get(id);
    if (page === undefined)
      return `There is no page ${id}; there are ${[...this.#pages.keys()].join(", ") || "none yet"}.`;
    const sections = splitSections(page.markdown);
    const chosen = sections.find((one) => one.id === section);
    if (section !== undefined && chosen === undefined)
      return `Page ${id} has no section ${section}; its outline:\n${fenceText(this.#mark, id, buildOutline(sections))}`;
    const limit = chosen?.end ?? page.markdown.length;
    const piece = cutPiece(page.markdown, from ?? chosen?.start ?? 0, PIECE_CHARACTERS, limit);
    const rest =
      piece.next === undefined
        ? "That is the end of it."
        : `Go on with read {"page":"${id}",${section === undefined ? "" : `"section":"${section}",`}"from":${piece.next}}.`;
    const title = `${id} characters ${piece.start}-${piece.end} of ${page.markdown.length}`;
    return `${fenceText(this.#mark, title, piece.text)}\n${rest}`;
  }

  async #note({ text = "", data }: ToolArguments<"note">): Promise<ToolReply> {
    const dropped = data === undefined ? [] : this.#findings.keep(data);
    this.#news ||= data !== undefined;
    await this.#work.journal.runStep(
      { tool: "note", input: { text }, maxCredits: 0 },
      async () => ({
        output: data ?? null,
        credits: 0,
        shown: { text, dropped },
      }),
    );
    return {
      text:
        dropped.length === 0
          ? "Kept."
          : `Kept, except for values that are on no page that was read: ${dropped.slice(0, 20).join(", ")}.`,
    };
  }

  /** One line for a page whose text was taken out of the conversation. */
  #summarize(id: string, { url, title, markdown, statusCode, tables = [] }: PageNote): string {
    const own = tables.map(({ ref, rows }) => `${ref} ${rows.length} rows`).join(", ");
    const line = `${url} "${title.slice(0, 120)}", status ${statusCode}, ${markdown.length} characters${own === "" ? "" : `; tables: ${own}`}`;
    return `Page ${id}, its text removed. ${fenceText(this.#mark, id, line)} See it again with read {"page":"${id}"}.`;
  }

  #describe(id: string, page: PageNote): string {
    const sections = splitSections(page.markdown);
    const piece = cutPiece(page.markdown, 0, FIRST_CHARACTERS, page.markdown.length);
    const data = page.documents.map(({ json }) => json).find((json) => json !== undefined);
    const { prompt } = this.#work.run.options as StoredRun;
    const parts = [
      `Address: ${page.url}\nTitle: ${page.title}\nStatus: ${page.statusCode}`,
      page.warnings.length === 0 ? "" : `Warning: ${page.warnings.join(" ")}`,
      sections.length > 1
        ? `Outline:\n${buildOutline(sections).slice(0, MAX_OUTLINE_CHARACTERS)}`
        : "",
      `Text, characters 0-${piece.end} of ${page.markdown.length}:\n${piece.text}`,
      describeTables(page),
      `Links:\n${this.#formatLinks(page, prompt, MAX_LINKS)}`,
      data === undefined ? "" : `Data for the schema:\n${JSON.stringify(data)}`,
    ];
    const rest =
      piece.next === undefined
        ? ""
        : `\nTruncated. To continue, read a section, or read from ${piece.next}.`;
    const whole = parts.filter((part) => part !== "").join("\n\n");
    return `Page ${id}.\n${fenceText(this.#mark, id, whole)}${rest}`;
  }

  /** The links that may be followed, those about the words first. */
  #formatLinks({ links }: PageNote, words: string, max: number): string {
    return this.#findBestLink(links, words)
      .slice(0, max)
      .map(({ url, text }) => `${url} ${text}`)
      .join("\n");
  }

  /** Deduplicates URLs and puts matches first. */
  #findBestLink(links: readonly NotedLink[], words: string): NotedLink[] {
    const open = new Map<string, NotedLink>();
    for (const link of links)
      if (!open.has(link.url) && this.#work.scope.allows(new URL(link.url)))
        open.set(link.url, link);
    const named = [...open.values()].map(({ url, text }) => ({ url, title: text }));
    const best = new Set(rankLinks(named, words).map(({ url }) => url));
    return [...best, ...[...open.keys()].filter((url) => !best.has(url))].flatMap(
      (url) => open.get(url) ?? [],
    );
  }
}

/**
 * The message to the model about a failed call. It is fenced because URLs and reasons may contain
 * text of a site.
 */
function describeFailure(error: unknown, mark: string): string {
  if (error instanceof CollectFault || error instanceof QueryFault)
    return `Failed. ${fenceText(mark, "reason", error.message)}`;
  if (error instanceof QuarryError && !(error instanceof StorageError))
    return `Failed.\n${fenceText(mark, "reason", error.message)}`;
  throw error;
}
