import { writeFile } from "node:fs/promises";
import type { Fetch } from "../../client/transport.ts";
import type { ScrapeParameters } from "../../client/client.ts";
import type { Config } from "../config.ts";
import type { Document } from "../contract/document.ts";
import { RequestError } from "../errors.ts";
import type { ScrapeExplanation } from "../scrape/explanation.ts";
import { describeChanges } from "./change-lines.ts";
import { connect, connectToJobs, type ServerChoice } from "./connect.ts";
import { printExplanation } from "./explain.ts";
import {
  toPageParameters,
  tracksChanges,
  wantsOnlyChanges,
  type PageOptions,
} from "./page-options.ts";

export type ScrapeCommandOptions = ServerChoice &
  PageOptions & {
    readonly include?: readonly string[];
    readonly exclude?: readonly string[];
    readonly json?: boolean;
    readonly explain?: boolean;
    readonly out?: string;
  };

/** `quarry scrape URL`: the page on standard output, the explanation and warnings on standard error. */
export async function scrapeCommand(
  config: Config,
  url: string,
  options: ScrapeCommandOptions,
): Promise<void> {
  let explanation: ScrapeExplanation | undefined;
  const listen = (fetch: Fetch): Fetch =>
    options.explain === true
      ? async (address, init) => {
          const response = await fetch(address, {
            ...init,
            headers: { ...(init.headers as Record<string, string>), "x-quarry-explain": "1" },
          });
          const answer = (await response
            .clone()
            .json()
            .catch(() => undefined)) as { explanation?: ScrapeExplanation } | undefined;
          explanation = answer?.explanation;
          return response;
        }
      : fetch;
  await using connection = tracksChanges(options)
    ? { where: "the server", ...(await connectToJobs(config, options)) }
    : await connect(config, options, listen);
  const document = await connection.client.scrape(url, toParameters(options));
  const isForPeople = wantsOnlyChanges(options) && options.json !== true;
  const text = isForPeople ? `${describeChanges(document)}\n` : render(document, options);
  if (options.out === undefined) process.stdout.write(text);
  else await writeOut(options.out, text);
  if (document.warning !== undefined) process.stderr.write(`warning: ${document.warning}\n`);
  if (document.metadata.error !== undefined)
    process.stderr.write(`the page answered: ${document.metadata.error}\n`);
  if (explanation !== undefined) printExplanation(explanation, connection.where);
}

async function writeOut(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new RequestError("BAD_REQUEST", `--out: ${file} cannot be written (${code}).`, {
      cause: error,
    });
  }
}

function toParameters(options: ScrapeCommandOptions): ScrapeParameters {
  const parameters: Record<string, unknown> = { ...toPageParameters(options), integration: "cli" };
  if (options.include !== undefined) parameters["includeTags"] = options.include;
  if (options.exclude !== undefined) parameters["excludeTags"] = options.exclude;
  return parameters as ScrapeParameters;
}

/** One text format is printed as it is; several, or any that is no text, as JSON. */
function render(document: Document, options: ScrapeCommandOptions): string {
  const { metadata: _metadata, warning: _warning, ...formats } = document;
  const values = Object.values(formats);
  const [only] = values;
  if (options.json !== true && values.length === 1 && typeof only === "string")
    return only.endsWith("\n") ? only : `${only}\n`;
  if (
    options.json !== true &&
    values.length === 1 &&
    Array.isArray(only) &&
    only.every((item) => typeof item === "string")
  ) {
    return only.map((item) => `${String(item)}\n`).join("");
  }
  return `${JSON.stringify(document, null, 2)}\n`;
}
