// Output within a budget of tokens, for agents that read it. The tokenizer is loaded only then.
import { RequestError } from "../../errors.ts";

export type Fitted = {
  readonly texts: readonly string[];
  /** Texts that did not fit. */
  readonly left: number;
};

/** Takes the first texts that fit, at least one; all without a budget. */
export async function fitTexts(
  texts: readonly string[],
  budget: number | undefined,
): Promise<Fitted> {
  if (budget === undefined) return { texts, left: 0 };
  const { countTokens } = await import("../../ranking/model-tokens.ts");
  let tokens = 0;
  let shown = 0;
  for (const text of texts) {
    tokens += countTokens(text);
    if (tokens > budget && shown > 0) break;
    shown += 1;
  }
  return { texts: texts.slice(0, shown), left: texts.length - shown };
}

const CUT = "\n…";
/** A text is left out rather than cut below this. */
const MIN_ROOM = 40;

/**
 * Cuts texts so that together they fit: each gets an equal share of what the ones before it left.
 */
export async function cutTexts(
  texts: readonly string[],
  budget: number | undefined,
): Promise<readonly string[]> {
  if (budget === undefined) return texts;
  const { countTokens, takeTokens } = await import("../../ranking/model-tokens.ts");
  let left = budget;
  return texts.map((text, at) => {
    const room = Math.max(1, Math.floor(left / (texts.length - at)));
    const total = countTokens(text);
    if (total > room && room < MIN_ROOM) return "";
    const { text: part, next } = total <= room ? { text, next: undefined } : takeTokens(text, room);
    left -= Math.min(total, room);
    return next === undefined ? part : `${part.trimEnd()}${CUT}`;
  });
}

/** The line for people and agents about what was left out. */
export const describeLeft = (fitted: Fitted, noun: string, budget: number, hint: string): string =>
  `${fitted.texts.length} of ${fitted.texts.length + fitted.left} ${noun} within ${budget} tokens; ${hint}\n`;

/** JSON that is cut cannot be parsed. */
export const createBudgetFault = (): RequestError =>
  new RequestError("BAD_REQUEST", "--budget cuts the text output; leave out --json.");
