import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { LlmsTxtParameters } from "../../client/client.ts";
import type { LlmsTxt } from "../../client/wire.ts";
import type { Config } from "../config.ts";
import { TargetError } from "../errors.ts";
import { connectToJobs, type JobConnection, type ServerChoice } from "./connect.ts";
import { toPlainLine } from "./terminal-text.ts";
import { withSpinner } from "./spinner.ts";

export type LlmsTxtCommandOptions = ServerChoice & {
  readonly limit?: number;
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  readonly wholeSite?: boolean;
  readonly budget?: number;
  readonly out?: string;
  readonly json?: boolean;
};

const POLL_MS = 1_000;

/** `quarry llms-txt URL`: prints llms.txt, or writes it and llms-full.txt to a folder. */
export async function runLlmsTxtCommand(
  config: Config,
  url: string,
  options: LlmsTxtCommandOptions,
): Promise<void> {
  await using connection = await connectToJobs(config, options);
  const parameters: LlmsTxtParameters = {
    maxUrls: options.limit,
    includePaths: options.include === undefined ? undefined : [...options.include],
    excludePaths: options.exclude === undefined ? undefined : [...options.exclude],
    crawlEntireDomain: options.wholeSite,
    integration: "cli",
  };
  const result = await withSpinner(process.stderr, `Reading ${url}`, () =>
    build(connection, url, parameters, options),
  );
  if (result.status === "failed")
    throw new TargetError("SCRAPE_SITE_ERROR", result.error ?? "No page could be read.");
  const { llmstxt, llmsfulltxt } = result.data;
  if (options.out !== undefined) {
    await mkdir(options.out, { recursive: true });
    await writeFile(join(options.out, "llms.txt"), llmstxt);
    await writeFile(join(options.out, "llms-full.txt"), llmsfulltxt ?? "");
  }
  if (options.json === true) process.stdout.write(`${JSON.stringify(result.data, null, 2)}\n`);
  else if (options.out === undefined) process.stdout.write(llmstxt);
  if (result.warning !== undefined)
    process.stderr.write(`warning: ${toPlainLine(result.warning)}\n`);
}

async function build(
  { client }: JobConnection,
  url: string,
  parameters: LlmsTxtParameters,
  { budget, out, json }: LlmsTxtCommandOptions,
): Promise<LlmsTxt> {
  const id = await client.startLlmsTxt(url, parameters);
  for (;;) {
    const full = out !== undefined || json === true;
    const result = await client.llmsTxt(id, { maxTokens: budget, full });
    if (result.status !== "processing") return result;
    await sleep(POLL_MS);
  }
}
