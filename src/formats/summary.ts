import { runWithinContext } from "./model/ask-model.ts";
import type { FormatDeclaration } from "./format.ts";
import { askForSummary } from "./summary/ask-for-summary.ts";
import { NO_MODEL } from "./model/understanding.ts";
import { verifySentences, warnOfDropped } from "./model/verify-sentences.ts";

const TOO_LITTLE_TEXT =
  "the page has fewer than two sentences, no labels with values and no description, so there is no summary.";
const isEmpty = (text: unknown): boolean => text === undefined || text === "";

/** The page in a few sentences: its own, or written by a model. */
export const summary: FormatDeclaration<"summary"> = {
  name: "summary",
  needs: [],
  blank: { summary: "" },
  derive: async () => {
    const { readContent } = await import("./page/read-content.ts");
    const { summarise } = await import("./summary/summarize.ts");
    const { listKeyFacts } = await import("./summary/key-facts.ts");
    return (view) => {
      const reading = readContent(view);
      const text = summarise(reading, () => listKeyFacts(view, reading));
      return text === undefined ? {} : { summary: text };
    };
  },
  understand: {
    afterFailure: ({ document }) => ({
      warnings: [
        isEmpty(document.summary)
          ? `summary: ${TOO_LITTLE_TEXT}`
          : "summary: sentences and labels of the page are returned instead.",
      ],
    }),
    withoutModel: ({ document }) => ({
      warnings: [
        isEmpty(document.summary)
          ? `${NO_MODEL}: ${TOO_LITTLE_TEXT}`
          : `${NO_MODEL}: summary is made of sentences and labels of the page.`,
      ],
    }),
    async withModel({ model, inputTokens, derived: { reading }, deadline }) {
      if (reading === undefined) return {};
      const { value, usage } = await runWithinContext(inputTokens, async (tokens) =>
        askForSummary(model, reading, { inputTokens: tokens }, deadline),
      );
      const verified = verifySentences(value, `${reading.title}\n${reading.markdown}`, {
        language: reading.language,
      });
      const warnings = warnOfDropped("summary", verified);
      if (verified.text !== "") return { fields: { summary: verified.text }, usage, warnings };
      return {
        usage,
        warnings: [...warnings, "summary: sentences of the page are returned instead."],
      };
    },
  },
};
