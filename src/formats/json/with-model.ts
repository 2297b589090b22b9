// Fills the json format with a model. The draft saves the call if it is sufficient. Otherwise the
// model reads the page as data, and its answer is checked against the schema and, value by value,
// against the page.
import type { Deadline } from "../../deadline.ts";
import type { LanguageModel, ModelUsage } from "../../models/model.ts";
import { addUsage, askForJson, NO_USAGE } from "../ask-model.ts";
import {
  wrapPageText,
  DATA_RULE,
  estimateTokens,
  splitText,
  removeInvisible,
} from "../page-as-data.ts";
import { findEvidence, leavesOf, PageText } from "./check-evidence.ts";
import { propertyAt } from "./property-at.ts";
import type { JsonDraft, JsonTask } from "./json-draft.ts";
import type { Evidence } from "./finding.ts";
import { evidenceFor } from "./evidence-for.ts";
import { keepValid } from "../../runtime/json-schema/keep-valid.ts";
import { mergeValues } from "./merge-parts.ts";
import { escape, readPointer } from "../../runtime/json-schema/pointer.ts";

type Schema = Readonly<Record<string, unknown>>;

export type JsonRequest = {
  readonly task: JsonTask;
  readonly draft: JsonDraft;
  /** The page's content as Markdown. */
  readonly text: string;
  /** True if the caller wants a quote for every value. */
  readonly evidence: boolean;
  readonly inputTokens: number;
};

export type JsonAnswer = {
  readonly value: unknown;
  readonly evidence: Readonly<Record<string, Evidence>>;
  readonly warnings: readonly string[];
  readonly usage: ModelUsage;
  /** True if the model was asked. */
  readonly asked: boolean;
};

const MAX_OUTPUT_TOKENS = 8_000;
/** Maximum parts of a page to read. */
const MAX_PARTS = 12;
const MIN_INPUT_TOKENS = 500;

/**
 * True if no model is needed: the caller gave no prompt and the page's own data has all required
 * values.
 */
export function isEnough({ schema, prompt = "" }: JsonTask, draft: JsonDraft): boolean {
  if (schema === undefined || prompt.trim() !== "" || draft.dropped.length > 0) return false;
  const { properties, required } = schema;
  const names =
    Array.isArray(required) && required.length > 0
      ? (required as unknown[]).map(String)
      : Object.keys((properties as object | undefined) ?? {});
  return (
    names.length > 0 &&
    names.every((name) => {
      const pointer = `/${escape(name)}`;
      return draft.strong.some((at) => at === pointer || at.startsWith(`${pointer}/`));
    })
  );
}

/** Asks the model for the data. Rethrows the model's errors. */
export async function askForData(
  model: LanguageModel,
  request: JsonRequest,
  deadline: Deadline,
): Promise<JsonAnswer> {
  const { task, draft, text, inputTokens } = request;
  const schema: Schema = task.schema ?? { type: "object" };
  const instructions = instructionsOf(request);
  const room = Math.max(MIN_INPUT_TOKENS, inputTokens - estimateTokens(instructions));
  const parts = splitText(text, room);
  const warnings: string[] = [];
  if (parts.length > MAX_PARTS)
    warnings.push(
      `json: the page is long; its first ${MAX_PARTS} of ${parts.length} parts were read.`,
    );
  let value: unknown;
  let quotes: Readonly<Record<string, string>> = {};
  let usage = NO_USAGE;
  for (const part of parts.slice(0, MAX_PARTS)) {
    const asked = await askForJson(
      model,
      {
        system: SYSTEM,
        user: `${instructions}\n\n${wrapPageText(part)}`,
        schema: wrapped(schema),
        maxOutputTokens: MAX_OUTPUT_TOKENS,
      },
      deadline,
    );
    usage = addUsage(usage, asked.usage);
    const answer = unwrapped(asked.value.json);
    quotes = { ...quotes, ...answer.quotes };
    value = mergeValues(value, answer.data);
    if (asked.finish === "length")
      warnings.push("json: the model's answer was truncated; values may be missing.");
  }
  const checked = checkValues(value, {
    quotes,
    page: new PageText(removeInvisible(text)),
    draft,
    schema,
  });
  warnings.push(...checked.warnings);
  const merged =
    task.prompt === undefined || task.prompt.trim() === ""
      ? withStrong(checked.value, draft)
      : checked.value;
  const valid = keepValid(task.schema, merged);
  if (valid.dropped.length > 0)
    warnings.push(
      `json: dropped values that do not fit the schema: ${valid.dropped.slice(0, 10).join("; ")}.`,
    );
  if (valid.faults.length > 0)
    warnings.push(
      `json: required values are missing on the page: ${valid.faults.slice(0, 10).join("; ")}.`,
    );
  return {
    value: valid.value,
    evidence: evidenceFor(valid.value, [draft, checked]),
    warnings,
    usage,
    asked: true,
  };
}

const SYSTEM = [
  "You extract structured data from web pages.",
  DATA_RULE,
  "Leave out, or set to null, what the page does not say. Never guess, never use other knowledge.",
].join(" ");

function instructionsOf({ task, draft, evidence }: JsonRequest): string {
  const lines: string[] = [];
  if (task.schema !== undefined)
    lines.push(`JSON Schema of the data:\n${JSON.stringify(task.schema)}`);
  if (task.prompt !== undefined && task.prompt.trim() !== "")
    lines.push(`What is wanted:\n${task.prompt}`);
  const found = Object.fromEntries(
    draft.strong.slice(0, 100).map((pointer) => [pointer, readPointer(draft.value, pointer)]),
  );
  if (Object.keys(found).length > 0)
    lines.push(
      `What the page's own metadata says, by JSON pointer:\n${wrapPageText(JSON.stringify(found))}`,
    );
  lines.push(
    evidence
      ? 'Answer with {"data": …, "quotes": [{"pointer": …, "quote": …}]}: data fits the schema; for every value in it a quote says where the page says so, word for word, by JSON pointer into data.'
      : 'Answer with {"data": …, "quotes": [{"pointer": …, "quote": …}]}: data fits the schema; for every number, boolean and word of an enum a quote says where the page says so, word for word, by JSON pointer into data.',
  );
  return lines.join("\n\n");
}

/** Returns the schema one level down, with rewritten references. */
export function wrapped(schema: Schema): Schema {
  const { $schema: _dialect, $id: _id, ...rest } = schema;
  const properties: Record<string, unknown> = { data: moved(rest) };
  properties["quotes"] = {
    type: "array",
    items: {
      type: "object",
      properties: { pointer: { type: "string" }, quote: { type: "string" } },
      required: ["pointer", "quote"],
    },
  };
  return { type: "object", properties, required: ["data"] };
}

function moved(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(moved);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      key === "$ref" && typeof inner === "string" && inner.startsWith("#")
        ? `#/properties/data${inner.slice(1)}`
        : moved(inner),
    ]),
  );
}

function unwrapped(json: unknown): { data: unknown; quotes: Record<string, string> } {
  const fields = typeof json === "object" && json !== null ? (json as Record<string, unknown>) : {};
  // Models that got the schema as text may omit the wrapper.
  const data = Object.hasOwn(fields, "data") ? fields["data"] : json;
  const given = Array.isArray(fields["quotes"]) ? (fields["quotes"] as unknown[]) : [];
  const quotes: Record<string, string> = {};
  for (const entry of given) {
    const { pointer, quote } = (entry ?? {}) as { pointer?: unknown; quote?: unknown };
    if (typeof pointer === "string" && typeof quote === "string")
      quotes[pointer.replace(/^#?\/?(?:data\/)?/, "/")] = quote;
  }
  return { data, quotes };
}

type Check = {
  readonly quotes: Readonly<Record<string, string>>;
  readonly page: PageText;
  readonly draft: JsonDraft;
  readonly schema: Schema;
};

function checkValues(
  value: unknown,
  check: Check,
): { value: unknown; evidence: Record<string, Evidence>; warnings: string[] } {
  const evidence: Record<string, Evidence> = {};
  const unshown: string[] = [];
  // Words that the page's own data has may stand elsewhere in the answer; a number there may mean
  // something else.
  const drafted = new Map<unknown, Evidence>();
  for (const [pointer, found] of Object.entries(check.draft.evidence).toReversed()) {
    const own = readPointer(check.draft.value, pointer);
    if (typeof own === "string") drafted.set(own, found);
  }
  for (const leaf of leavesOf(value)) {
    const property = propertyAt(check.schema, leaf.pointer);
    const same =
      readPointer(check.draft.value, leaf.pointer) === leaf.value
        ? check.draft.evidence[leaf.pointer]
        : undefined;
    const known = same ?? (property.isEnum === true ? undefined : drafted.get(leaf.value));
    const found =
      known ?? findEvidence(leaf.value, check.quotes[leaf.pointer], check.page, property);
    if (found !== undefined) evidence[leaf.pointer] = found;
    else unshown.push(leaf.pointer);
  }
  if (unshown.length === 0) return { value, evidence, warnings: [] };
  const warning = `json: dropped because the page does not contain it: ${unshown.slice(0, 20).join(", ")}.`;
  return { value: withoutPointers(value, new Set(unshown), ""), evidence, warnings: [warning] };
}

/**
 * Removes list members and sets properties to null, so that the pointers of all other values stay
 * valid.
 */
function withoutPointers(value: unknown, gone: ReadonlySet<string>, pointer: string): unknown {
  if (gone.has(pointer)) return null;
  if (Array.isArray(value))
    return value.map((item, at) => withoutPointers(item, gone, `${pointer}/${at}`));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      withoutPointers(inner, gone, `${pointer}/${escape(key)}`),
    ]),
  );
}

/** Adds values that the model left out and the page's own data has. */
function withStrong(value: unknown, draft: JsonDraft): unknown {
  if (typeof draft.value !== "object" || draft.value === null || Array.isArray(draft.value))
    return value;
  const tops = new Set(draft.strong.map((pointer) => pointer.split("/")[1] ?? ""));
  const strong = Object.entries(draft.value).filter(([key]) => tops.has(escape(key)));
  return mergeValues(value, Object.fromEntries(strong));
}
