// Judges a change by the goal of its monitor: by a model when one is configured, else by the words
// of the goal. If the model fails, the change notifies and the judgment gives the reason.
import type { MonitorPage } from "../contract/jobs/monitor-report.ts";
import { Deadline } from "../deadline.ts";
import { QuarryError } from "../errors.ts";
import { askForJson } from "../formats/model/ask-model.ts";
import { DATA_RULE, wrapPageText } from "../formats/model/page-as-data.ts";
import type { LanguageModel } from "../models/model.ts";
import { toWords } from "../ranking/words.ts";
import { isObject } from "../runtime/is-object.ts";

export type Judgment = NonNullable<MonitorPage["judgment"]>;

export type JudgedChange = {
  readonly url: string;
  readonly added: readonly string[];
  readonly removed: readonly string[];
  /** The unified diff, or the changed fields as JSON. */
  readonly diff: string;
};

export type JudgeParts = {
  readonly model: () => LanguageModel | undefined;
  readonly timeoutMs?: number;
};

const TIMEOUT_MS = 60_000;
const MAX_DIFF_CHARACTERS = 20_000;
const MAX_OUTPUT_TOKENS = 1_500;
const MAX_QUOTES = 20;
/** Words of goals that carry no meaning for the search. */
const GOAL_WORDS = new Set(
  "a an and any are as at be by can changes change changed for from has have i if in into is it its me new of on only or our page site so tell that the their them there these this to under over us want was we website when whenever where which will with you your alert notify watch monitor let know about something anything gets get updates update updated appears becomes".split(
    " ",
  ),
);
const IGNORED = /\b(?:ignore|ignoring|except|excluding|not|without|unless)\b([^.;\n]*)/gi;
const SYSTEM = `You judge whether a change of a web page matters for a goal. You get the goal and the unified diff. Answer with JSON: meaningful (boolean), confidence (high, medium or low), reason (one sentence), changes (those that matter: type added, removed or changed; before and after quoted from the diff without signs, null where there is none; reason). ${DATA_RULE}`;
const SCHEMA = {
  type: "object",
  properties: {
    meaningful: { type: "boolean" },
    confidence: { type: "string", enum: ["high", "medium", "low"] },
    reason: { type: "string" },
    changes: {
      type: "array",
      items: {
        type: "object",
        properties: {
          type: { type: "string", enum: ["added", "removed", "changed"] },
          before: { type: ["string", "null"] },
          after: { type: ["string", "null"] },
          reason: { type: "string" },
        },
        required: ["type", "before", "after", "reason"],
      },
    },
  },
  required: ["meaningful", "confidence", "reason", "changes"],
};

type Quote = Judgment["meaningfulChanges"][number];

export type JudgeChange = (
  goal: string,
  change: JudgedChange,
  signal: AbortSignal,
) => Promise<Judgment>;

export function createJudge(parts: JudgeParts): JudgeChange {
  return async (goal, change, signal) => {
    const model = parts.model();
    if (model === undefined) return judgeByRules(goal, change);
    using deadline = Deadline.start(parts.timeoutMs ?? TIMEOUT_MS, signal);
    try {
      return await judgeByModel(model, goal, change, deadline);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof QuarryError)) throw error;
      return {
        meaningful: true,
        confidence: "low",
        reason: `The goal was not judged, so the change counts: ${error.message}`,
        meaningfulChanges: [],
      };
    }
  };
}

async function judgeByModel(
  model: LanguageModel,
  goal: string,
  { url, diff }: JudgedChange,
  deadline: Deadline,
): Promise<Judgment> {
  const shown = diff.slice(0, MAX_DIFF_CHARACTERS);
  const user = `Goal: ${goal}\nPage: ${url}\n\n${wrapPageText(shown)}`;
  const { value } = await askForJson(
    model,
    { system: SYSTEM, user, schema: SCHEMA, maxOutputTokens: MAX_OUTPUT_TOKENS },
    deadline,
  );
  const answer = isObject(value.json) ? value.json : {};
  const { meaningful, confidence, reason, changes } = answer;
  if (typeof meaningful !== "boolean")
    return {
      meaningful: true,
      confidence: "low",
      reason: "The goal was not judged, so the change counts: the model gave no verdict.",
      meaningfulChanges: [],
    };
  return {
    meaningful,
    confidence: confidence === "high" || confidence === "medium" ? confidence : "low",
    reason: typeof reason === "string" ? reason.slice(0, 1_000) : "",
    meaningfulChanges: Array.isArray(changes) ? keepQuoted(changes, shown) : [],
  };
}

const stripMarkers = (text: string): string => text.replaceAll(/\s+/g, "");

/** Keeps the changes whose quotes are in the diff. */
function keepQuoted(changes: readonly unknown[], diff: string): Quote[] {
  const text = stripMarkers(diff);
  const isShown = (quote: unknown): quote is string | null =>
    quote === null || (typeof quote === "string" && text.includes(stripMarkers(quote)));
  return changes.slice(0, MAX_QUOTES).flatMap((change): Quote[] => {
    if (!isObject(change)) return [];
    const { type, before = null, after = null, reason } = change;
    if (type !== "added" && type !== "removed" && type !== "changed") return [];
    if (!isShown(before) || !isShown(after) || (before === null && after === null)) return [];
    return [
      { type, before, after, reason: typeof reason === "string" ? reason.slice(0, 500) : "" },
    ];
  });
}

/** Rough on purpose: a wrong match lets a change through, which is the safe side. */
const stem = (word: string): string =>
  word.length > 5
    ? word.replace(/(?:ings?|ers?|ies|es|ed|s)$/, "")
    : word.replace(/(?<=...)s$/, "");
const listTellingWords = (text: string): string[] =>
  toWords(text)
    .filter((word) => !GOAL_WORDS.has(word))
    .map(stem);

/** Judges by words: lines with words of the goal count; lines with excluded words do not. */
export function judgeByRules(goal: string, { added, removed }: JudgedChange): Judgment {
  const excluded = new Set(
    [...goal.matchAll(IGNORED)].flatMap((match) => listTellingWords(match[1] ?? "")),
  );
  const wanted = new Set(
    listTellingWords(goal.replaceAll(IGNORED, " ")).filter((word) => !excluded.has(word)),
  );
  const has = (line: string, words: ReadonlySet<string>): boolean =>
    toWords(line).some((word) => words.has(stem(word)));
  const lines = [
    ...added.map((line) => ({ line, isAdded: true })),
    ...removed.map((line) => ({ line, isAdded: false })),
  ];
  const left = lines.filter(({ line }) => !has(line, excluded));
  const found = wanted.size === 0 ? left : left.filter(({ line }) => has(line, wanted));
  const toQuote = ({ line, isAdded }: (typeof lines)[number]): Quote => ({
    type: isAdded ? "added" : "removed",
    before: isAdded ? null : line,
    after: isAdded ? line : null,
    reason: "It has a word of the goal.",
  });
  if (lines.length === 0)
    return {
      meaningful: true,
      confidence: "low",
      reason: "Fields changed; the goal is judged by rules, which read lines only.",
      meaningfulChanges: [],
    };
  if (found.length > 0)
    return {
      meaningful: true,
      confidence: "medium",
      reason: "Judged by rules: changed lines have words of the goal.",
      meaningfulChanges: found.slice(0, MAX_QUOTES).map(toQuote),
    };
  return {
    meaningful: false,
    confidence: "low",
    reason:
      left.length === 0
        ? "Judged by rules: all changed lines have words that the goal excludes."
        : "Judged by rules: no changed line has a word of the goal.",
    meaningfulChanges: [],
  };
}
