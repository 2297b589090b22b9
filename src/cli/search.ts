import type { SearchParameters } from "../../client/client.ts";
import type { SearchReply } from "../../client/wire.ts";
import type { Config } from "../config.ts";
import { connectToJobs, type ServerChoice } from "./connect.ts";
import { toPlainLine } from "./terminal-text.ts";
import { withSpinner } from "./spinner.ts";

export type SearchCommandOptions = ServerChoice & {
  readonly limit?: number;
  readonly source?: readonly string[];
  readonly format?: readonly string[];
  readonly tbs?: string;
  readonly json?: boolean;
};

/** `quarry search "words"`: prints the results, or the whole answer as JSON. */
export async function searchCommand(
  config: Config,
  query: string,
  options: SearchCommandOptions,
): Promise<void> {
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
  const text = options.json === true ? `${JSON.stringify(reply.data, null, 2)}\n` : toText(reply);
  process.stdout.write(text);
  if (reply.warning !== undefined) process.stderr.write(`warning: ${toPlainLine(reply.warning)}\n`);
}

type Item = NonNullable<SearchReply["data"]["web"]>[number];

/** URL, title, description and scraped content, with an empty line after each result. */
function toText({ data }: SearchReply): string {
  const items = [...(data.web ?? []), ...(data.news ?? []), ...(data.images ?? [])] as Item[];
  return items.map((item) => `${formatLines(item).join("\n")}\n\n`).join("");
}

function formatLines(item: Item): string[] {
  const { url, title, description, snippet, imageUrl, markdown, metadata } = item;
  const lines = [url, title, description ?? snippet, imageUrl].flatMap((text) =>
    typeof text === "string" && text !== "" ? toPlainLine(text) : [],
  );
  if (metadata?.error !== undefined) lines.push(`not scraped: ${toPlainLine(metadata.error)}`);
  if (typeof markdown === "string") lines.push("", markdown.trim());
  return lines;
}
