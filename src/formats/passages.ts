// Formats that search a page: highlights, and passages that answer a question.
import type { Document } from "../contract/page/document.ts";
import { verifySentences, warnOfDropped } from "./model/verify-sentences.ts";
import { findFormat, type FormatOf } from "../contract/page/formats.ts";
import { runWithinContext } from "./model/ask-model.ts";
import type { FormatDeclaration } from "./format.ts";
import { selectBestPassages, rankPassages, type Passage } from "./passages/rank.ts";
import { askQuestion, choosePassages } from "./passages/ask-question.ts";
import type { Derive } from "./format.ts";
import { NO_MODEL, type ModelContext, type UnderstoodFields } from "./model/understanding.ts";

const MAX_HIGHLIGHTS = 6;
const MAX_ANSWERING = 3;

type PassageFormat = "highlights" | "question" | "query";

const readQuery = (format: FormatOf<PassageFormat>): string =>
  format.type === "highlights"
    ? format.query
    : format.type === "question"
      ? format.question
      : format.prompt;

const joinPassages = (passages: readonly Pick<Passage, "text">[]): string =>
  passages.map(({ text }) => text).join("\n\n");

async function loadFinder(
  max: number,
): Promise<(...page: Parameters<Derive<PassageFormat>>) => string> {
  const { readContent } = await import("./page/read-content.ts");
  return (view, format) =>
    joinPassages(selectBestPassages(rankPassages(readContent(view), readQuery(format)), max));
}

async function loadAnswer(): Promise<Derive<"question" | "query">> {
  const find = await loadFinder(MAX_ANSWERING);
  return (view, format) => {
    const answer = find(view, format);
    return answer === "" ? {} : { answer };
  };
}

/** Passages chosen by rules, and the question they were chosen for. */
function withoutModel(name: PassageFormat, found: string | undefined): UnderstoodFields {
  if (found === undefined || found === "")
    return { warnings: [`${NO_MODEL}: no passage of the page has words of the ${name}.`] };
  return {
    warnings: [
      name === "highlights"
        ? `${NO_MODEL}: highlights are the passages that share the most words with the query.`
        : `${NO_MODEL}: the answer to the ${name} is the passages that share the most words with it.`,
    ],
  };
}

async function answer(
  context: ModelContext,
  question: string,
  format: "question" | "query" = "question",
): Promise<UnderstoodFields> {
  const { model, inputTokens, derived, deadline } = context;
  if (derived.reading === undefined) return {};
  const passages = rankPassages(derived.reading, question);
  const { value, usage } = await runWithinContext(inputTokens, async (tokens) =>
    askQuestion(model, question, passages, { inputTokens: tokens }, deadline),
  );
  const { title, markdown, language } = derived.reading;
  const verified = verifySentences(value, `${title}\n${markdown}`, { language, question });
  const warnings = warnOfDropped(format, verified);
  if (verified.text !== "") return { fields: { answer: verified.text }, usage, warnings };
  return {
    usage,
    warnings: [...warnings, `${format}: passages of the page are returned instead.`],
  };
}

async function choose(
  context: ModelContext,
  query: string,
  field: keyof Pick<Document, "answer" | "highlights">,
): Promise<UnderstoodFields> {
  const { model, inputTokens, derived, deadline } = context;
  if (derived.reading === undefined) return {};
  const passages = rankPassages(derived.reading, query);
  const { value, usage } = await runWithinContext(inputTokens, async (tokens) =>
    choosePassages(model, query, passages, { inputTokens: tokens }, deadline),
  );
  return { fields: { [field]: joinPassages(value) }, usage };
}

const CHOSEN_BY_RULES = "Passages chosen by rules are returned instead.";

export const highlights: FormatDeclaration<"highlights"> = {
  name: "highlights",
  needs: [],
  blank: { highlights: "" },
  price: () => "highlights",
  derive: async () => {
    const find = await loadFinder(MAX_HIGHLIGHTS);
    return (view, format) => ({ highlights: find(view, format) });
  },
  understand: {
    makes: "highlights",
    fallback: CHOSEN_BY_RULES,
    withoutModel: ({ document }) => withoutModel("highlights", document.highlights),
    withModel: (context, { query: wanted }) => choose(context, wanted, "highlights"),
  },
};

export const question: FormatDeclaration<"question"> = {
  name: "question",
  needs: [],
  blank: { answer: "" },
  price: () => "question",
  derive: loadAnswer,
  understand: {
    makes: "answer",
    fallback: "Passages of the page are returned instead.",
    withoutModel: ({ document }) => withoutModel("question", document.answer),
    withModel: (context, format) => answer(context, format.question),
  },
};

/** The deprecated form of question and highlights; a question beside it fills the answer. */
export const query: FormatDeclaration<"query"> = {
  name: "query",
  needs: [],
  blank: { answer: "" },
  price: () => "question",
  derive: loadAnswer,
  understand: {
    makes: "answer",
    fallback: CHOSEN_BY_RULES,
    withoutModel: ({ document }) => withoutModel("query", document.answer),
    async withModel(context, { mode, prompt }) {
      if (findFormat(context.formats, "question") !== undefined) return {};
      return mode === "freeform"
        ? await answer(context, prompt, "query")
        : await choose(context, prompt, "answer");
    },
  },
};
