// Asks a model to describe the changes. Its answer is checked against both texts: a value that is
// not in its text is dropped.
import type { Deadline } from "../../deadline.ts";
import { QuarryError } from "../../errors.ts";
import type { LanguageModel } from "../../models/model.ts";
import { askForJson, describeModelFailure } from "../model/ask-model.ts";
import { wrapPageText, DATA_RULE, estimateTokens } from "../model/page-as-data.ts";
import type { FieldChanges } from "./fields.ts";
import { toLines } from "./lines.ts";
import { buildDiff } from "./diff.ts";

export type ChangesRequest = {
  readonly previous: string;
  readonly current: string;
  /** The caller's question; "" means all changes. */
  readonly prompt: string;
  readonly inputTokens: number;
};

const MAX_OUTPUT_TOKENS = 2_000;
/** Reserve of the scrape's time for the steps after the model, in ms. */
const RESERVE_MS = 500;
const SYSTEM = `You are given the unified diff between two versions of a web page. Say which facts changed. Answer with a JSON object: one field for each fact that changed, named in snake_case, its value {"previous": …, "current": …} as the two versions write it, null where a version says nothing. ${DATA_RULE}`;
const SIDE = { type: ["string", "number", "boolean", "null"] };
const SCHEMA = {
  type: "object",
  additionalProperties: {
    type: "object",
    properties: { previous: SIDE, current: SIDE },
    required: ["previous", "current"],
  },
};

/**
 * Returns the changes, or undefined with a warning, also if the model is too slow. Throws once the
 * deadline has passed.
 */
export async function askForChanges(
  model: LanguageModel,
  { previous, current, prompt, inputTokens }: ChangesRequest,
  deadline: Deadline,
): Promise<{ changes: FieldChanges | undefined; warnings: string[] }> {
  const { text } = buildDiff(previous, current);
  const room = Math.max(500, inputTokens - estimateTokens(prompt) - 500);
  const isCut = estimateTokens(text) > room;
  const shown = isCut ? text.slice(0, room * 3) : text;
  const wish = prompt.trim() === "" ? "Tell all facts that changed." : prompt;
  using within = deadline.createChild(Math.max(1, deadline.getTimeLeftMs() - RESERVE_MS));
  try {
    const { value } = await askForJson(
      model,
      {
        system: SYSTEM,
        user: `${wish}\n\n${wrapPageText(shown)}`,
        schema: SCHEMA,
        maxOutputTokens: MAX_OUTPUT_TOKENS,
      },
      within,
    );
    const { changes, dropped } = keepShown(value.json, previous, current);
    const warnings = isCut
      ? ["changeTracking: the model read the beginning of the diff only."]
      : [];
    if (dropped.length > 0)
      warnings.push(
        `changeTracking: dropped from json because the page does not contain it: ${dropped.slice(0, 20).join(", ")}.`,
      );
    return { changes, warnings };
  } catch (error) {
    deadline.check();
    if (!(error instanceof QuarryError)) throw error;
    return { changes: undefined, warnings: [`changeTracking: ${describeModelFailure(error)}`] };
  }
}

/** Keeps only values that are on the pages, checked one by one. */
function keepShown(
  json: unknown,
  previous: string,
  current: string,
): { changes: FieldChanges; dropped: string[] } {
  const isShown = (value: unknown, text: string): boolean =>
    value === null ||
    typeof value === "boolean" ||
    (typeof value === "string" && text.includes(stripMarkers(value))) ||
    (typeof value === "number" && text.includes(String(value)));
  const before = stripMarkers(previous);
  const after = stripMarkers(current);
  const kept: [string, FieldChanges[string]][] = [];
  const dropped: string[] = [];
  for (const [name, change] of Object.entries((json ?? {}) as Record<string, unknown>)) {
    const { previous: old = null, current: now = null } = (change ?? {}) as FieldChanges[string];
    if (old !== now && isShown(old, before) && isShown(now, after))
      kept.push([name, { previous: old, current: now }]);
    else dropped.push(name);
  }
  return { changes: Object.fromEntries(kept), dropped };
}

const stripMarkers = (text: string): string =>
  toLines(text.toLowerCase())
    .map(({ key }) => key)
    .join("");
