// Model-based steps of the formats, after the rules in the worker threads. A model failure degrades
// the format; it never fails the scrape.
import type { Document } from "../../contract/page/document.ts";
import type { Format, FormatType } from "../../contract/page/formats.ts";
import type { Deadline } from "../../deadline.ts";
import { QuarryError } from "../../errors.ts";
import type { LanguageModel, Models, ModelUsage } from "../../models/model.ts";
import { addUsage, describeModelFailure, NO_USAGE, readFailureUsage } from "./ask-model.ts";
import type { DerivedDocument } from "../derivation.ts";
import { listLeaves } from "../json/evidence/check-evidence.ts";
import { FORMATS } from "../index.ts";
import type { Understanding, UnderstoodFields } from "./understanding.ts";

/** True if a model would improve any of these formats. */
export const needsModel = (formats: readonly Format[]): boolean =>
  listUnderstanding(formats).some(
    ({ format, understand }) => understand.withModel !== undefined && !hasExtractor(format),
  );

const hasExtractor = (format: Format): boolean =>
  format.type === "json" && format.extractor !== undefined;

/** Reserve of the scrape's time for the steps after the model, in ms. */
const RESERVE_MS = 500;

type UnderstandOptions = { readonly formats: readonly Format[]; readonly deadline: Deadline };

/**
 * Fills the page's model-based formats as well as possible. Throws SCRAPE_PROMPT_INJECTION_DETECTED
 * if the caller refuses such pages, and the deadline's abort reason.
 */
export type Understand = (
  derived: DerivedDocument,
  options: UnderstandOptions,
) => Promise<DerivedDocument>;

export function createUnderstanding(models: Pick<Models, "role" | "inputTokens">): Understand {
  return async (derived, { formats, deadline }) => {
    const wanted = listUnderstanding(formats);
    if (wanted.length === 0) return derived;
    for (const { understand, format } of wanted) understand.check?.(derived, format);
    const model = models.role("fast");
    const result = new Result(derived);
    using modelDeadline = deadline.createChild(Math.max(1, deadline.getTimeLeftMs() - RESERVE_MS));
    for (const entry of wanted) {
      if (model === undefined || entry.understand.withModel === undefined)
        result.add(entry, entry.understand.withoutModel(derived, entry.format));
      else {
        const { inputTokens } = models;
        const context = { model, inputTokens, derived, formats, deadline: modelDeadline };
        result.add(entry, await ask(entry, context, deadline));
      }
    }
    return result.toDerived(model);
  };
}

type Entry = { readonly format: Format; readonly understand: Understanding };

/** Sequential, in the order of the registry, because the calls share the page's time. */
function listUnderstanding(formats: readonly Format[]): Entry[] {
  return FORMATS.flatMap(({ name, understand }) => {
    const format = understand && formats.find(({ type }) => type === name);
    return format === undefined || understand === undefined ? [] : [{ format, understand }];
  });
}

/** A model failure becomes a warning; an expired scrape deadline does not. */
async function ask(
  { format, understand }: Entry,
  context: Parameters<NonNullable<Understanding["withModel"]>>[0],
  deadline: Deadline,
): Promise<UnderstoodFields & { failed?: boolean }> {
  try {
    return (await understand.withModel?.(context, format)) ?? {};
  } catch (error) {
    deadline.check();
    if (!(error instanceof QuarryError)) throw error;
    const { fields = {}, warnings = [] } = understand.afterFailure?.(context.derived, format) ?? {};
    const said = [`${format.type}:`, describeModelFailure(error), understand.fallback ?? ""]
      .join(" ")
      .trimEnd();
    const usage = readFailureUsage(error);
    const spent = usage.inputTokens + usage.outputTokens > 0 ? { usage } : {};
    return { fields, warnings: [said, ...warnings], ...spent, failed: true };
  }
}

/** Returns whether a format has no content: no text, or data without a value. */
const isBlank = (value: unknown): boolean =>
  value === undefined || value === "" || listLeaves(value).length === 0;

class Result {
  readonly #derived: DerivedDocument;
  readonly #document: Partial<Document>;
  readonly #warnings: string[];
  readonly #uncharged: FormatType[] = [];
  #usage: ModelUsage | undefined;

  constructor(derived: DerivedDocument) {
    this.#derived = derived;
    this.#document = { ...derived.document };
    this.#warnings = [...derived.warnings];
  }

  add({ format, understand }: Entry, understood: UnderstoodFields & { failed?: boolean }): void {
    const { fields = {}, warnings = [], usage, failed } = understood;
    for (const [name, value] of Object.entries(fields)) {
      if (value === undefined) delete this.#document[name];
      else this.#document[name] = value;
    }
    this.#warnings.push(...warnings);
    if (usage !== undefined) this.#usage = addUsage(this.#usage ?? NO_USAGE, usage);
    const { makes } = understand;
    const isEmpty = makes !== undefined && isBlank(this.#document[makes]);
    if (failed === true || isEmpty) this.#uncharged.push(format.type);
  }

  toDerived(model: LanguageModel | undefined): DerivedDocument {
    // A page may use any name for its meta tags.
    const { model: _, ...metadata }: Record<string, unknown> = this.#derived.metadata;
    if (this.#usage !== undefined && model !== undefined) {
      metadata["model"] = model.name;
      metadata["modelInputTokens"] = this.#usage.inputTokens;
      metadata["modelOutputTokens"] = this.#usage.outputTokens;
    }
    return {
      ...this.#derived,
      document: this.#document,
      uncharged: this.#uncharged,
      warnings: this.#warnings,
      metadata: metadata as DerivedDocument["metadata"],
    };
  }
}
