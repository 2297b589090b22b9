// Summarizes with a model. Long pages are summarized in parts, and the parts again.
import type { Deadline } from "../../deadline.ts";
import type { LanguageModel } from "../../models/model.ts";
import { addUsage, askForText, NO_USAGE, type ModelReply } from "../model/ask-model.ts";
import { wrapPageText, DATA_RULE, splitText } from "../model/page-as-data.ts";
import type { ContentReading } from "../page/content-text.ts";

const SYSTEM = [
  "You summarise web pages: what the page says, in its own language, in plain text of at most 120 words, without a preamble.",
  DATA_RULE,
].join(" ");
const MAX_OUTPUT_TOKENS = 1_500;
const MAX_PARTS = 8;

/** Asks the model for a summary. Rethrows the model's errors. */
export async function askForSummary(
  model: LanguageModel,
  reading: ContentReading,
  options: { readonly inputTokens: number },
  deadline: Deadline,
): Promise<ModelReply<string>> {
  const parts = splitText(reading.markdown, options.inputTokens).slice(0, MAX_PARTS);
  const ask = (text: string, what: string): Promise<ModelReply<string>> =>
    askForText(
      model,
      {
        system: SYSTEM,
        user: `${what}\n\n${wrapPageText(text)}`,
        maxOutputTokens: MAX_OUTPUT_TOKENS,
      },
      deadline,
    );
  const about = `Title of the page: ${JSON.stringify(reading.title.slice(0, 300))}.`;
  const [only = ""] = parts;
  if (parts.length === 1) return await ask(only, `${about} Summarise this page.`);
  const summaries: string[] = [];
  let usage = NO_USAGE;
  for (const [at, part] of parts.entries()) {
    const asked = await ask(
      part,
      `${about} Summarise part ${at + 1} of ${parts.length} of this page.`,
    );
    usage = addUsage(usage, asked.usage);
    summaries.push(asked.value);
  }
  const joined = await ask(
    summaries.join("\n\n"),
    `${about} These are summaries of its parts; make one of them.`,
  );
  return { ...joined, usage: addUsage(usage, joined.usage) };
}
