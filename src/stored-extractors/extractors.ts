// Stored extractors: create, change, run and test. Pages come through ordinary scrapes; learning
// runs in a worker thread.
import { v7 } from "uuid";
import type { Identity } from "../account/identity.ts";
import {
  EXTRACTOR_LIMITS,
  type ChangeExtractor,
  type CreateExtractor,
  type ExtractorBody,
  type RunExtractor,
  type RunResponse,
  type TestExtractor,
  type TestResponse,
} from "../contract/extractors/extractor.ts";
import type { ExtractorProgram } from "../contract/extractors/program.ts";
import { scrapeOptionsSchema, type PageOptions } from "../contract/page/scrape.ts";
import { Deadline } from "../deadline.ts";
import { RequestError, type QuarryError } from "../errors.ts";
import type { FormatPool } from "../formats/threads/pool.ts";
import type { LearnOutput, LearnPage } from "../formats/threads/learn-extractor.ts";
import type { Logger } from "../logger.ts";
import type { Scrape } from "../scrape/scrape.ts";
import type { ExtractorRecord, ExtractorStore } from "../store/accounts/extractors.ts";
import { compareCases } from "./compare-values.ts";
import { toBody, toRun, toSummary, type ExtractorSummary, type Origin } from "./extractor-body.ts";
import { limitEvidence } from "./limit-evidence.ts";
import { fetchPages, type ExtractionCaller, type FetchedPage } from "./fetch-pages.ts";
import { NEW_HEALTH, type Health } from "./health.ts";
import type { PointAtValues } from "./point-at-values.ts";
import { readProgram, createUnknownExtractorError, type Programs } from "./programs.ts";

export type ExtractorUpdate = {
  readonly extractor: ExtractorBody;
  readonly creditsUsed: number;
  readonly warnings: readonly string[];
};

export type Extractors = {
  create(body: CreateExtractor, caller: ExtractionCaller): Promise<ExtractorUpdate>;
  /**
   * Throws NOT_FOUND, like all methods with an id, for ids that are unknown or of another account.
   */
  find(id: string, identity: Identity): Promise<ExtractorBody>;
  list(
    identity: Identity,
    page: { readonly limit?: number | undefined; readonly cursor?: string | undefined },
  ): Promise<{ readonly data: readonly ExtractorSummary[]; readonly cursor: string | null }>;
  updateExtractor(
    id: string,
    body: ChangeExtractor,
    caller: ExtractionCaller,
  ): Promise<ExtractorUpdate>;
  remove(id: string, identity: Identity): Promise<void>;
  run(
    id: string,
    body: RunExtractor,
    caller: ExtractionCaller,
  ): Promise<Omit<RunResponse, "success">>;
  test(
    id: string,
    body: TestExtractor,
    caller: ExtractionCaller,
  ): Promise<Omit<TestResponse, "success">>;
};

export type ExtractorsParts = {
  readonly store: () => Promise<{ readonly extractors: ExtractorStore }>;
  readonly programs: Programs;
  readonly scrape: Scrape;
  readonly pool: Pick<FormatPool, "learn">;
  /** Asks the model for the positions of values; undefined without a model. */
  readonly pointAtValues: PointAtValues | undefined;
  readonly log: Logger;
  readonly now?: () => number;
};

const LEARN_TIMEOUT_MS = 60_000;
const RAW_HTML = [{ type: "rawHtml" }] as const;

/** Learning again reads the pages as they are now: the cache may hold their former template. */
const buildFreshOptions = ({ options }: Pick<Origin, "options">): PageOptions => ({
  ...(options ?? scrapeOptionsSchema.parse({})),
  maxAge: 0,
});

type LearnResult = LearnOutput & {
  readonly creditsUsed: number;
  readonly source: ExtractorRecord["source"];
};
type LearnTask = Pick<Origin, "examples" | "urls" | "schema" | "prompt"> & {
  readonly from?: "rules" | "model" | undefined;
  readonly options: PageOptions;
};

export function createExtractors(parts: ExtractorsParts): Extractors {
  const { programs, scrape, log, now = Date.now } = parts;
  const store = async (): Promise<ExtractorStore> => (await parts.store()).extractors;

  async function load(id: string, identity: Identity): Promise<ExtractorRecord> {
    const record = await (await store()).load(identity.accountId, id);
    if (record === undefined) throw createUnknownExtractorError();
    return record;
  }

  async function learn(task: LearnTask, caller: ExtractionCaller): Promise<LearnResult> {
    const { examples, urls = examples?.map(({ url }) => url) ?? [], schema } = task;
    const from = examples === undefined ? chooseTeacher(task) : "examples";
    const fetched = await fetchPages(scrape, urls, task.options, RAW_HTML, caller);
    const pages = fetched.map((page, at): LearnPage => ({
      ...toLearnPage(page, examples === undefined ? `urls.${at}` : `examples.${at}.url`),
      data: examples?.[at]?.data,
    }));
    using deadline = Deadline.start(LEARN_TIMEOUT_MS, caller.signal);
    const pointed =
      from === "model" && parts.pointAtValues !== undefined
        ? (await parts.pointAtValues({ pages, schema, prompt: task.prompt }, deadline)).pages
        : pages;
    const learned = await parts.pool.learn({ pages: pointed, schema }, deadline);
    return { ...learned, creditsUsed: sumCredits(fetched), source: from };
  }

  function chooseTeacher({ from, schema }: LearnTask): "rules" | "model" {
    if (from === "model" && parts.pointAtValues === undefined)
      throw new RequestError(
        "NOT_IMPLEMENTED",
        'from "model" needs a language model (QUARRY_MODEL); use examples, or from "rules" with a schema.',
      );
    if (from !== undefined) return from;
    if (parts.pointAtValues !== undefined) return "model";
    if (schema === undefined)
      throw new RequestError(
        "NOT_IMPLEMENTED",
        "A prompt needs a language model (QUARRY_MODEL); use examples, or urls with a schema.",
      );
    return "rules";
  }

  async function save(
    record: ExtractorRecord,
    learned: LearnResult,
    origin: Origin,
  ): Promise<ExtractorRecord | undefined> {
    const { program, problems, source } = learned;
    if (program === undefined) return undefined;
    return await (
      await store()
    ).update(record.accountId, record.id, (current) => ({
      ...withProgram(current, program, now()),
      source,
      request: { ...origin, problems },
    }));
  }

  /** Learns again in the background when an extractor that allows it has drifted. */
  const relearning = new Set<string>();
  programs.onDrift((record, identity) => {
    const origin = record.request as Origin;
    const { examples, urls, relearn } = origin;
    log.warn(
      { extractor: record.id, reason: (record.health as Health).reason },
      "extractor drifted",
    );
    if (!relearn || relearning.has(record.id)) return;
    if (examples === undefined && (urls === undefined || record.source === "program")) return;
    relearning.add(record.id);
    const caller = {
      identity,
      requestId: `relearn-${record.id}`,
      signal: AbortSignal.timeout(5 * LEARN_TIMEOUT_MS),
    };
    const from = record.source === "model" || record.source === "rules" ? record.source : undefined;
    const options = buildFreshOptions(origin);
    learn({ ...origin, from, options }, caller)
      .then(async (learned) => {
        const before = Object.keys(readProgram(record).fields).length;
        const after = Object.keys(learned.program?.fields ?? {}).length;
        // A redesigned page may keep too few values to relearn from.
        if (after * 2 < before) return undefined;
        return await save(record, learned, origin);
      })
      .then((saved) =>
        log.info(
          { extractor: record.id, version: saved?.version },
          saved === undefined ? "extractor could not be learned again" : "extractor learned again",
        ),
      )
      .catch((error: unknown) =>
        log.error({ err: error, extractor: record.id }, "failed to learn an extractor again"),
      )
      .finally(() => relearning.delete(record.id));
  });

  return {
    async create(body, caller) {
      const { accountId } = caller.identity;
      if ((await (await store()).count(accountId)) >= EXTRACTOR_LIMITS.perAccount)
        throw new RequestError(
          "CONFLICT",
          `An account has at most ${EXTRACTOR_LIMITS.perAccount} extractors; delete one first.`,
        );
      const { program, examples, urls, schema, prompt, relearn, from } = body;
      const options = body.scrapeOptions;
      const learned: LearnResult =
        program === undefined
          ? await learn({ examples, urls, schema, prompt, from, options }, caller)
          : { program, problems: [], copied: [], creditsUsed: 0, source: "program" };
      if (learned.program === undefined) throw createNotLearnedError(learned);
      const at = now();
      const origin: Origin = {
        examples,
        urls,
        schema,
        prompt,
        options,
        relearn,
        problems: learned.problems,
      };
      const record: ExtractorRecord = {
        id: v7(),
        accountId,
        name: body.name ?? buildDefaultName(examples?.[0]?.url ?? urls?.[0]),
        source: learned.source,
        version: 1,
        state: "ready",
        program: learned.program,
        request: origin,
        health: NEW_HEALTH,
        createdAt: at,
        updatedAt: at,
      };
      await (await store()).create(record);
      return buildUpdate(record, learned);
    },

    find: async (id, identity) => toBody(await load(id, identity)),

    async list(identity, { limit = EXTRACTOR_LIMITS.list, cursor }) {
      const records = await (await store()).list(identity.accountId, limit + 1, cursor);
      const page = records.slice(0, limit);
      return {
        data: page.map((record) => toSummary(record)),
        cursor: records.length > limit ? (page.at(-1)?.id ?? null) : null,
      };
    },

    async updateExtractor(id, { name, program, examples, relearn }, caller) {
      const record = await load(id, caller.identity);
      const origin = record.request as Origin;
      const learned =
        examples === undefined
          ? undefined
          : await learn({ ...origin, examples, options: buildFreshOptions(origin) }, caller);
      if (learned !== undefined && learned.program === undefined)
        throw createNotLearnedError(learned);
      const next = learned?.program ?? program;
      const source = learned?.source ?? (program === undefined ? undefined : "program");
      const saved = await (
        await store()
      ).update(caller.identity.accountId, id, (current) => ({
        ...(next === undefined
          ? { ...current, updatedAt: now() }
          : withProgram(current, next, now())),
        ...(name === undefined ? {} : { name }),
        ...(source === undefined ? {} : { source }),
        request: {
          ...(current.request as Origin),
          ...(examples === undefined ? {} : { examples, problems: learned?.problems }),
          ...(relearn === undefined ? {} : { relearn }),
        },
      }));
      if (saved === undefined) throw createUnknownExtractorError();
      return buildUpdate(saved, learned);
    },

    async remove(id, { accountId }) {
      if (!(await (await store()).remove(accountId, id))) throw createUnknownExtractorError();
    },

    async run(id, { urls, evidence, scrapeOptions }, caller) {
      await load(id, caller.identity);
      const formats = [
        { type: "json", extractor: id, evidence, checkPromptInjection: false },
      ] as const;
      const pages = await fetchPages(scrape, urls, scrapeOptions, formats, caller);
      const runs = pages.map((page) => toRun(page));
      limitEvidence(runs);
      return { data: runs, creditsUsed: sumCredits(pages) };
    },

    async test(id, { examples, scrapeOptions }, caller) {
      const record = await load(id, caller.identity);
      const cases = examples ?? (record.request as Origin).examples;
      if (cases === undefined)
        throw new RequestError(
          "BAD_REQUEST",
          "The extractor was not learned from examples: give examples to test it with.",
        );
      const formats = [
        { type: "json", extractor: id, evidence: false, checkPromptInjection: false },
      ] as const;
      const urls = cases.map(({ url }) => url);
      const pages = await fetchPages(scrape, urls, scrapeOptions, formats, caller);
      return { data: compareCases(cases, pages), creditsUsed: sumCredits(pages) };
    },
  };
}

function withProgram(
  record: ExtractorRecord,
  program: ExtractorProgram,
  at: number,
): ExtractorRecord {
  return {
    ...record,
    program,
    version: record.version + 1,
    state: "ready",
    health: NEW_HEALTH,
    updatedAt: at,
  };
}

function toLearnPage(page: FetchedPage, field: string): LearnPage {
  if ("error" in page) {
    const { error, url } = page;
    throw new RequestError(error.code, `${field}: ${url} could not be fetched: ${error.message}`, {
      cause: error,
    });
  }
  const { rawHtml = "", metadata } = page.document;
  if (rawHtml.trim() === "")
    throw new RequestError(
      "BAD_REQUEST",
      `${field}: ${page.url} is not an HTML page, or its text was withheld.`,
    );
  const status = Number(metadata.statusCode);
  if (status >= 400)
    throw new RequestError("BAD_REQUEST", `${field}: ${page.url} answered with status ${status}.`);
  return { html: rawHtml, url: String(metadata.url ?? page.url) };
}

const sumCredits = (pages: readonly FetchedPage[]): number =>
  pages.reduce((sum, page) => sum + ("credits" in page ? page.credits : 0), 0);

const createNotLearnedError = ({ problems }: LearnOutput): QuarryError =>
  new RequestError(
    "EXTRACTOR_NOT_LEARNED",
    `No field could be learned: ${problems
      .slice(0, 5)
      .map(({ field, detail }) => `${field}: ${detail}`)
      .join("; ")}.`,
    { details: problems },
  );

const buildDefaultName = (url: string | undefined): string =>
  (url === undefined ? undefined : URL.parse(url)?.hostname) ?? "extractor";

function buildUpdate(record: ExtractorRecord, learned: LearnResult | undefined): ExtractorUpdate {
  const warnings = (learned?.problems ?? []).map(
    ({ field, detail }) => `${field} was not learned: ${detail}.`,
  );
  return { extractor: toBody(record), creditsUsed: learned?.creditsUsed ?? 0, warnings };
}
