import type { SearchParameters } from "../../../client/client.ts";
import type { SearchReply } from "../../../client/wire.ts";
import type { Config } from "../../config.ts";
import { connectToJobs, type ServerChoice } from "../connect.ts";
import { createBudgetFault, cutTexts, describeLeft, fitTexts } from "./fit-budget.ts";
import { toPlainLine } from "../terminal/terminal-text.ts";
import { withSpinner } from "../terminal/spinner.ts";

export type SearchCommandOptions = ServerChoice & {
  readonly limit?: number;
  readonly source?: readonly string[];
  readonly format?: readonly string[];
  readonly tbs?: string;
  readonly budget?: number;
  readonly json?: boolean;
};

/** `quarry search "words"`: prints the results, or the whole answer as JSON. */
export async function searchCommand(
  config: Config,
  query: string,
  options: SearchCommandOptions,
): Promise<void> {
  if (options.budget !== undefined && options.json === true) throw createBudgetFault();
  await using connection = await connectToJobs(config, options);
  const parameters: Record<string, unknown> = {
    limit: options.limit,
    sources: options.source,
    tbs: options.tbs,
    scrapeOptions: options.format === undefined ? undefined : { formats: options.format },
    integration: "cli",
  };
  const reply = await withSpinner(process.stderr, `Searching for ${query}`, () =>
    connection.client.search(query, parameters as SearchParameters),
  );
  if (options.json === true) process.stdout.write(`${JSON.stringify(reply.data, null, 2)}\n`);
  else {
    const fitted = await fitTexts(await toTexts(reply, options.budget), options.budget);
    process.stdout.write(fitted.texts.join(""));
    if (fitted.left > 0)
      process.stderr.write(
        describeLeft(fitted, "results", options.budget ?? 0, "a higher --budget shows more."),
      );
  }
  if (reply.warning !== undefined) process.stderr.write(`warning: ${toPlainLine(reply.warning)}\n`);
}

type Item = NonNullable<SearchReply["data"]["web"]>[number];

/** URL, title, description and scraped content, with an empty line after each result. */
async function toTexts({ data }: SearchReply, budget: number | undefined): Promise<string[]> {
  const items = [...(data.web ?? []), ...(data.news ?? []), ...(data.images ?? [])] as Item[];
  const heads = items.map((item) => formatLines(item).join("\n"));
  const contents = items.map(({ markdown }) =>
    typeof markdown === "string" ? markdown.trim() : "",
  );
  // URLs and titles come first: content shares what they leave.
  const cut = await cutTexts(contents, budget && (await measureRoom(heads, budget)));
  return heads.map((head, at) => `${head}${cut[at] === "" ? "" : `\n\n${cut[at]}`}\n\n`);
}

async function measureRoom(heads: readonly string[], budget: number): Promise<number> {
  const { countTokens } = await import("../../ranking/model-tokens.ts");
  const used = heads.reduce((sum, head) => sum + countTokens(head) + TOKENS_BETWEEN, 0);
  return Math.max(0, budget - used);
}

/** Tokens of the empty lines around a result and of its ellipsis. */
const TOKENS_BETWEEN = 6;

function formatLines(item: Item): string[] {
  const { url, title, description, snippet, imageUrl, metadata } = item;
  const lines = [url, title, description ?? snippet, imageUrl].flatMap((text) =>
    typeof text === "string" && text !== "" ? toPlainLine(text) : [],
  );
  if (metadata?.error !== undefined) lines.push(`not scraped: ${toPlainLine(metadata.error)}`);
  return lines;
}
