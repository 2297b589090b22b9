// Model-based steps after the rules in the worker threads. Adds a warning if no model is configured
// or if it fails. A model failure degrades the format; it never fails the scrape.
import type { Document } from "../contract/page/document.ts";
import { findFormat, type Format, type FormatType } from "../contract/page/formats.ts";
import type { Deadline } from "../deadline.ts";
import { QuarryError, TargetError } from "../errors.ts";
import type { LanguageModel, Models, ModelUsage } from "../models/model.ts";
import { addUsage, NO_USAGE } from "./ask-model.ts";
import type { Derived } from "./derivation.ts";
import { askForData, isEnough } from "./json/with-model.ts";
import { findOrders } from "./page-as-data.ts";
import { rankPassages } from "./passages/rank.ts";
import { askQuestion, choosePassages } from "./passages/with-model.ts";
import type { Reading } from "./content-text.ts";
import { askForSummary } from "./summary/with-model.ts";

const UNDERSTANDING: ReadonlySet<FormatType> = new Set([
  "json",
  "summary",
  "question",
  "highlights",
  "query",
]);

/** True if a model would improve any of these formats. */
export const needsUnderstanding = (formats: readonly Format[]): boolean =>
  formats.some(({ type }) => UNDERSTANDING.has(type));

/** Reserve of the scrape's time for the steps after the model, in ms. */
const SPARE_MS = 500;

type Wish = { readonly formats: readonly Format[]; readonly deadline: Deadline };

/**
 * Fills the page's model-based formats as well as possible. Throws SCRAPE_PROMPT_INJECTION_DETECTED
 * if the caller refuses such pages, and the deadline's abort reason.
 */
export type Understand = (derived: Derived, wish: Wish) => Promise<Derived>;

export function createUnderstanding(models: Pick<Models, "role" | "inputTokens">): Understand {
  return async (derived, { formats, deadline }) => {
    if (!needsUnderstanding(formats) && findFormat(formats, "deterministicJson") === undefined)
      return derived;
    refuseOrders(derived, formats);
    const model = models.role("fast");
    const result = new Result(derived);
    if (model === undefined) withoutModel(result, derived, formats);
    else {
      using within = deadline.child(Math.max(1, deadline.timeLeftMs() - SPARE_MS));
      await new Work(model, models.inputTokens, derived, within, deadline, result).run(formats);
    }
    result.tellEvidence(formats);
    return result.derived(model);
  };
}

class Result {
  readonly document: Partial<Document>;
  readonly warnings: string[];
  readonly #derived: Derived;
  evidence: Readonly<Record<string, unknown>>;
  usage: ModelUsage = NO_USAGE;
  asked = false;

  constructor(derived: Derived) {
    this.#derived = derived;
    this.document = { ...derived.document };
    this.warnings = [...derived.warnings];
    this.evidence = derived.draft?.evidence ?? {};
  }

  add(usage: ModelUsage): void {
    this.usage = addUsage(this.usage, usage);
    this.asked = true;
  }

  tellEvidence(formats: readonly Format[]): void {
    const json = findFormat(formats, "json") ?? findFormat(formats, "deterministicJson");
    if (json?.evidence === true)
      this.document.jsonEvidence = this.evidence as Document["jsonEvidence"];
  }

  derived(model: LanguageModel | undefined): Derived {
    const metadata: Record<string, unknown> = { ...this.#derived.metadata };
    delete metadata["model"];
    if (this.asked && model !== undefined) {
      metadata["model"] = model.name;
      metadata["modelInputTokens"] = this.usage.inputTokens;
      metadata["modelOutputTokens"] = this.usage.outputTokens;
    }
    return {
      ...this.#derived,
      document: this.document,
      warnings: this.warnings,
      metadata: metadata as Derived["metadata"],
    };
  }
}

function refuseOrders(derived: Derived, formats: readonly Format[]): void {
  const json = findFormat(formats, "json");
  if (json?.checkPromptInjection !== true) return;
  const orders = derived.orders ?? findOrders(derived.reading?.markdown ?? "");
  if (orders !== undefined)
    throw new TargetError(
      "SCRAPE_PROMPT_INJECTION_DETECTED",
      `The page tries to give orders to a model: "${orders}".`,
    );
}

const NO_MODEL = "No language model is configured (QUARRY_MODEL)";

function withoutModel(result: Result, derived: Derived, formats: readonly Format[]): void {
  const json = findFormat(formats, "json");
  const deterministic = findFormat(formats, "deterministicJson");
  const said: string[] = [];
  if (json !== undefined || deterministic !== undefined) {
    if (json !== undefined)
      said.push(`${NO_MODEL}: json was made by rules from the page's own data, labels and lists.`);
    result.warnings.push(...said, ...jsonGaps(derived));
    const { schema, prompt = "" } = json ?? deterministic ?? {};
    if (prompt.trim() !== "")
      result.warnings.push(
        schema === undefined
          ? "json: of the prompt only names of fields could be read."
          : "json: the prompt could not be read; the schema alone was used.",
      );
  }
  if (findFormat(formats, "summary") !== undefined)
    result.warnings.push(`${NO_MODEL}: summary is made of sentences of the page.`);
  for (const type of ["question", "query", "highlights"] as const)
    if (findFormat(formats, type) !== undefined)
      result.warnings.push(passagesWarning(type, result.document));
}

function passagesWarning(
  type: "question" | "query" | "highlights",
  document: Partial<Document>,
): string {
  const field = type === "highlights" ? document.highlights : document.answer;
  if (field === undefined || field === "")
    return `${NO_MODEL}: no passage of the page has words of the ${type}.`;
  return type === "highlights"
    ? `${NO_MODEL}: highlights are the passages that share the most words with the query.`
    : `${NO_MODEL}: the answer to the ${type} is the passages that share the most words with it.`;
}

/** Returns a message for what the rules did not find or could not use. */
function jsonGaps({ draft }: Derived): string[] {
  if (draft === undefined) return [];
  const gaps: string[] = [];
  if (draft.value === undefined) gaps.push("json: nothing was found for it.");
  else if (draft.missing.length > 0)
    gaps.push(`json: nothing was found for ${draft.missing.slice(0, 30).join(", ")}.`);
  if (draft.dropped.length > 0)
    gaps.push(
      `json: left out what does not fit the schema: ${draft.dropped.slice(0, 10).join("; ")}.`,
    );
  return gaps;
}

/** The formats of one page, sequentially, because their calls share the page's time. */
class Work {
  readonly #model: LanguageModel;
  readonly #inputTokens: number;
  readonly #derived: Derived;
  readonly #within: Deadline;
  readonly #deadline: Deadline;
  readonly #result: Result;

  constructor(
    model: LanguageModel,
    inputTokens: number,
    derived: Derived,
    within: Deadline,
    deadline: Deadline,
    result: Result,
  ) {
    this.#model = model;
    this.#inputTokens = inputTokens;
    this.#derived = derived;
    this.#within = within;
    this.#deadline = deadline;
    this.#result = result;
  }

  async run(formats: readonly Format[]): Promise<void> {
    const { reading } = this.#derived;
    const json = findFormat(formats, "json");
    if (findFormat(formats, "deterministicJson") !== undefined)
      this.#result.warnings.push(...jsonGaps(this.#derived));
    if (json !== undefined) await this.#json(json, reading);
    if (reading === undefined) return;
    if (findFormat(formats, "summary") !== undefined) await this.#summary(reading);
    const question = findFormat(formats, "question");
    const query = findFormat(formats, "query");
    const highlights = findFormat(formats, "highlights");
    if (question !== undefined) await this.#answer(reading, question.question);
    else if (query?.mode === "freeform") await this.#answer(reading, query.prompt);
    else if (query !== undefined) await this.#choose(reading, query.prompt, "answer");
    if (highlights !== undefined) await this.#choose(reading, highlights.query, "highlights");
  }

  async #json(
    task: NonNullable<ReturnType<typeof findFormat<"json">>>,
    reading: Reading | undefined,
  ): Promise<void> {
    const { draft, markup } = { draft: this.#derived.draft, markup: reading?.markdown ?? "" };
    if (draft === undefined || isEnough(task, draft)) return;
    await this.#try(
      "json",
      "what rules found on the page is given instead",
      async () => {
        const answer = await askForData(
          this.#model,
          { task, draft, text: markup, evidence: task.evidence, inputTokens: this.#inputTokens },
          this.#within,
        );
        this.#result.add(answer.usage);
        this.#result.warnings.push(...answer.warnings);
        this.#result.evidence = answer.evidence;
        if (answer.value === undefined) delete this.#result.document.json;
        else this.#result.document.json = answer.value;
      },
      () => this.#result.warnings.push(...jsonGaps(this.#derived)),
    );
  }

  async #summary(reading: Reading): Promise<void> {
    await this.#try("summary", "sentences of the page are given instead", async () => {
      const asked = await askForSummary(
        this.#model,
        reading,
        { inputTokens: this.#inputTokens },
        this.#within,
      );
      this.#result.add(asked.usage);
      this.#result.document.summary = asked.value;
    });
  }

  async #answer(reading: Reading, question: string): Promise<void> {
    await this.#try("question", "passages of the page are given instead", async () => {
      const passages = rankPassages(reading, question);
      const asked = await askQuestion(
        this.#model,
        question,
        passages,
        { inputTokens: this.#inputTokens },
        this.#within,
      );
      this.#result.add(asked.usage);
      this.#result.document.answer = asked.value;
    });
  }

  async #choose(reading: Reading, query: string, field: "answer" | "highlights"): Promise<void> {
    await this.#try(
      field === "answer" ? "query" : "highlights",
      "passages chosen by rules are given instead",
      async () => {
        const passages = rankPassages(reading, query);
        const asked = await choosePassages(
          this.#model,
          query,
          passages,
          { inputTokens: this.#inputTokens },
          this.#within,
        );
        this.#result.add(asked.usage);
        this.#result.document[field] = asked.value.map(({ text }) => text).join("\n\n");
      },
    );
  }

  /** A model failure becomes a warning; an expired scrape deadline does not. */
  async #try(
    format: string,
    instead: string,
    work: () => Promise<void>,
    otherwise?: () => void,
  ): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#deadline.check();
      if (!(error instanceof QuarryError)) throw error;
      const reason =
        error.code === "SCRAPE_TIMEOUT"
          ? "The language model did not answer within the scrape's timeout."
          : error.message;
      this.#result.warnings.push(
        `${format}: ${reason} ${instead.charAt(0).toUpperCase()}${instead.slice(1)}.`,
      );
      otherwise?.();
    }
  }
}
