// Fills the json format with a model, unless the draft is sufficient. The model reads the lines of
// the page and answers with references. The server copies the words, and checks each value that the
// model wrote itself.
import type { Deadline } from "../../../deadline.ts";
import type { LanguageModel, ModelUsage } from "../../../models/model.ts";
import type { ModelPage } from "../../model/model-page.ts";
import { wrapPageText, estimateTokens } from "../../model/page-as-data.ts";
import { stripInvisible } from "../../../runtime/strip-invisible.ts";
import { answerSchemas } from "./answer-schema.ts";
import { askForParts, SYSTEM } from "./ask-for-parts.ts";
import { findEvidence, listLeaves, PageText } from "../evidence/check-evidence.ts";
import { ReferenceCopier } from "./copy-references.ts";
import { findPropertyAt } from "../evidence/property-at.ts";
import type { JsonDraft, JsonTask } from "../draft/json-draft.ts";
import type { Evidence } from "../declared/finding.ts";
import { mergeEvidence, type EvidenceSource } from "../evidence/evidence-for.ts";
import { keepValid, summarizeFaults } from "../../../runtime/json-schema/keep-valid.ts";
import { mergeValues } from "./merge-parts.ts";
import { choosePageParts, listWantedWords } from "./page-parts.ts";
import { escape, readPointer } from "../../../runtime/json-schema/pointer.ts";
import { readShape, buildShapeOfNames, type Shape } from "../../../runtime/json-schema/shape.ts";

type Schema = Readonly<Record<string, unknown>>;

export type JsonRequest = {
  readonly task: JsonTask;
  readonly draft: JsonDraft;
  /** The page's content as Markdown; values without a reference are searched in it. */
  readonly text: string;
  /** Lines for the model. */
  readonly page: ModelPage;
  readonly inputTokens: number;
};

export type JsonAnswer = {
  readonly value: unknown;
  readonly evidence: Readonly<Record<string, Evidence>>;
  readonly warnings: readonly string[];
  readonly usage: ModelUsage;
};

/** Maximum parts of a page to read. */
const MAX_PARTS = 12;
const MIN_INPUT_TOKENS = 500;
/** Maximum values of the draft in the prompt. */
const MAX_DRAFT_VALUES = 40;

/** Asks the model for the data. Rethrows the model's errors, with the tokens of all calls. */
export async function askForData(
  model: LanguageModel,
  request: JsonRequest,
  deadline: Deadline,
): Promise<JsonAnswer> {
  const { task, inputTokens, page } = request;
  const shape = task.schema === undefined ? buildShapeOfNames([]) : readShape(task.schema);
  const instructions = buildInstructions(request);
  const room = Math.max(
    MIN_INPUT_TOKENS,
    inputTokens - estimateTokens(SYSTEM) - estimateTokens(instructions),
  );
  const hasLists = task.schema === undefined || holdsLists(shape);
  const { parts, left } = choosePageParts(page, {
    wanted: listWantedWords(shape, task.prompt ?? ""),
    room,
    maxParts: MAX_PARTS,
    inOrder: hasLists,
  });
  const warnings: string[] = [];
  if (left > 0)
    warnings.push(`json: the page is long; its ${left} least relevant lines were not read.`);
  const reader = new AnswerReader(request, shape);
  const asked = await askForParts(
    model,
    { parts, instructions, inputTokens, schemas: answerSchemas(task.schema) },
    deadline,
    (json) => {
      reader.read(json);
      // Further parts cannot add to fields that are all filled.
      return !hasLists && isFull(shape, reader.value);
    },
  );
  warnings.push(...asked.warnings);
  return { ...finish(request, reader, warnings), usage: asked.usage };
}

function finish(
  { task, draft }: JsonRequest,
  reader: AnswerReader,
  warnings: string[],
): Omit<JsonAnswer, "usage"> {
  warnings.push(...reader.warnings());
  const merged =
    task.prompt === undefined || task.prompt.trim() === ""
      ? withStrong(reader.value, draft)
      : reader.value;
  const valid = keepValid(task.schema, merged, { keepsIncomplete: true });
  if (valid.dropped.length > 0)
    warnings.push(
      `json: dropped values that do not fit the schema: ${valid.dropped.slice(0, 10).join("; ")}.`,
    );
  if (valid.faults.length > 0)
    warnings.push(
      `json: required values are missing on the page: ${summarizeFaults(valid.faults).slice(0, 10).join("; ")}.`,
    );
  return {
    value: valid.value,
    evidence: mergeEvidence(valid.value, [draft, ...reader.parts]),
    warnings,
  };
}

const EXPLANATION = [
  "Each line of the page starts with a reference: n12 is an element, d3 the page's machine-readable data, -> an address.",
  'Answer with {"data": …}. Give the reference in place of each value: "n12" if the whole line is the value, "n12: 184.00" if a part of it',
  'is, word for word, "n12: true" for a value that the line says in other words.',
].join(" ");

function buildInstructions({ task, draft }: JsonRequest): string {
  const lines: string[] = [];
  if (task.schema !== undefined)
    lines.push(`JSON Schema of the data:\n${JSON.stringify(task.schema)}`);
  if (task.prompt !== undefined && task.prompt.trim() !== "")
    lines.push(`What is wanted:\n${task.prompt}`);
  const found = Object.fromEntries(
    draft.strong
      .slice(0, MAX_DRAFT_VALUES)
      .map((pointer) => [pointer, readPointer(draft.value, pointer)]),
  );
  if (Object.keys(found).length > 0)
    lines.push(
      `What the page's own metadata says, by JSON pointer:\n${wrapPageText(JSON.stringify(found))}`,
    );
  lines.push(EXPLANATION);
  return lines.join("\n\n");
}

const holdsLists = (shape: Shape): boolean =>
  shape.kind === "array" ||
  (shape.kind === "any" && shape.properties.size === 0) ||
  (shape.kind === "object" &&
    (shape.properties.size === 0 || [...shape.properties.values()].some(holdsLists)));

function isFull(shape: Shape, value: unknown): boolean {
  if (shape.kind !== "object") return value !== undefined && value !== null;
  const fields = (value ?? {}) as Readonly<Record<string, unknown>>;
  return [...shape.properties].every(([name, property]) => isFull(property, fields[name]));
}

/** Takes the answers for the parts of a page: copies, checks and merges their values. */
class AnswerReader {
  value: unknown;
  readonly parts: EvidenceSource[] = [];
  readonly #request: JsonRequest;
  readonly #shape: Shape;
  readonly #text: PageText;
  readonly #copier: ReferenceCopier;
  readonly #unshown: string[] = [];
  readonly #dropped: string[] = [];

  constructor(request: JsonRequest, shape: Shape) {
    this.#request = request;
    this.#shape = shape;
    const { page, text } = request;
    this.#text = new PageText(stripInvisible(`${text}\n${joinLineWords(page)}`));
    this.#copier = new ReferenceCopier(page, (word) => this.#text.folded.includes(` ${word} `));
  }

  read(json: unknown): void {
    const answer = unwrapAnswer(json);
    const copied = this.#copier.copy(answer.data, this.#shape);
    const { draft, task } = this.#request;
    const checked = checkValues(copied.value, {
      quotes: { ...answer.quotes, ...copied.quotes },
      copied: copied.evidence,
      page: this.#text,
      draft,
      schema: task.schema ?? { type: "object" },
    });
    this.#dropped.push(...copied.dropped);
    this.#unshown.push(...checked.unshown);
    this.parts.push({ value: checked.value, evidence: checked.evidence });
    this.value = mergeValues(this.value, checked.value);
  }

  /** Lists dropped values that no other part gave. */
  warnings(): string[] {
    const isMissing = (pointer: string): boolean =>
      (readPointer(this.value, pointer) ?? null) === null;
    const unshown = this.#unshown.filter(isMissing);
    const dropped = this.#dropped.filter((text) => isMissing(text.split(" ", 1)[0] ?? ""));
    return [
      ...(dropped.length === 0
        ? []
        : [
            `json: dropped references of the model that lead to no value: ${dropped.slice(0, 20).join(", ")}.`,
          ]),
      ...(unshown.length === 0
        ? []
        : [
            `json: dropped because the page does not contain it: ${unshown.slice(0, 20).join(", ")}.`,
          ]),
    ];
  }
}

/** Text that the model read, without the references. */
const joinLineWords = ({ lines }: ModelPage): string =>
  lines
    .map(({ text, places, isData }) =>
      isData
        ? text.replace(/^d\d+ /, "")
        : places
            .map(({ words, address = "" }) => (address === "" ? words : `${words} (${address})`))
            .join(" | "),
    )
    .join("\n");

function unwrapAnswer(json: unknown): { data: unknown; quotes: Record<string, string> } {
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
  /** Evidence of values that the server copied. */
  readonly copied: Readonly<Record<string, Evidence>>;
  readonly page: PageText;
  readonly draft: JsonDraft;
  readonly schema: Schema;
};

function checkValues(
  value: unknown,
  check: Check,
): { value: unknown; evidence: Record<string, Evidence>; unshown: readonly string[] } {
  const evidence: Record<string, Evidence> = {};
  const unshown: string[] = [];
  // Words of the page's own data may be elsewhere in the answer; a number there may have another
  // meaning.
  const drafted = new Map<unknown, Evidence>();
  for (const [pointer, found] of Object.entries(check.draft.evidence).toReversed()) {
    const own = readPointer(check.draft.value, pointer);
    if (typeof own === "string") drafted.set(own, found);
  }
  for (const leaf of listLeaves(value)) {
    const copied = check.copied[leaf.pointer];
    if (copied !== undefined) {
      evidence[leaf.pointer] = copied;
      continue;
    }
    const property = findPropertyAt(check.schema, leaf.pointer);
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
  if (unshown.length === 0) return { value, evidence, unshown };
  return { value: dropPointers(value, new Set(unshown), ""), evidence, unshown };
}

/**
 * Removes list members and sets properties to null, so that the pointers of all other values stay
 * valid.
 */
function dropPointers(value: unknown, gone: ReadonlySet<string>, pointer: string): unknown {
  if (gone.has(pointer)) return null;
  if (Array.isArray(value))
    return value.map((item, at) => dropPointers(item, gone, `${pointer}/${at}`));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      dropPointers(inner, gone, `${pointer}/${escape(key)}`),
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
