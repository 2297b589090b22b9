import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { LlmsTxtParameters } from "../../../client/client.ts";
import type { LlmsTxt } from "../../../client/wire.ts";
import type { Config } from "../../config.ts";
import { RequestError, TargetError } from "../../errors.ts";
import { connectToJobs, type JobConnection, type ServerChoice } from "../connect.ts";
import { toPlainLine } from "../terminal/terminal-text.ts";
import { withSpinner } from "../terminal/spinner.ts";

export type LlmsTxtCommandOptions = ServerChoice & {
  readonly limit?: number;
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  readonly wholeSite?: boolean;
  readonly budget?: number;
  readonly maxCharacters?: number;
  readonly out?: string;
  readonly describe?: string;
  readonly update?: boolean;
  readonly json?: boolean;
};

const POLL_MS = 1_000;

/** `quarry llms-txt URL`: prints llms.txt, or writes it and llms-full.txt to a folder. */
export async function runLlmsTxtCommand(
  config: Config,
  url: string,
  options: LlmsTxtCommandOptions,
): Promise<void> {
  if (options.update === true && options.out === undefined)
    throw new RequestError("BAD_REQUEST", "--update needs --out FOLDER, where the files are.");
  await using connection = await connectToJobs(config, options);
  const parameters: LlmsTxtParameters = {
    describe: options.describe as LlmsTxtParameters["describe"],
    cache: options.update === true ? false : undefined,
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
  if (options.out !== undefined)
    await writeFiles(
      options.out,
      { short: llmstxt, full: llmsfulltxt ?? "" },
      options.update === true,
    );
  if (options.json === true) process.stdout.write(`${JSON.stringify(result.data, null, 2)}\n`);
  else if (options.out === undefined) process.stdout.write(llmstxt);
  if (result.warning !== undefined)
    process.stderr.write(`warning: ${toPlainLine(result.warning)}\n`);
}

const FILES = { short: "llms.txt", full: "llms-full.txt" } as const;

/** The texts of both files. */
export type LlmsFiles = { readonly short: string; readonly full: string };

/** Writes both files; an update writes only what changed, and reports it. */
async function writeFiles(folder: string, after: LlmsFiles, isUpdate: boolean): Promise<void> {
  await mkdir(folder, { recursive: true });
  const before = {
    short: await readIfExists(join(folder, FILES.short)),
    full: await readIfExists(join(folder, FILES.full)),
  };
  for (const name of ["short", "full"] as const)
    if (!isUpdate || before[name] !== after[name])
      await writeFile(join(folder, FILES[name]), after[name]);
  if (!isUpdate) return;
  const { short, full = "" } = before;
  const report = describeUpdate(short === undefined ? undefined : { short, full }, after);
  process.stderr.write(`${report}\n`);
}

/** Undefined if there is no such file. */
async function readIfExists(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** Counts the pages that are new, changed or gone in either file. */
export function describeUpdate(before: LlmsFiles | undefined, after: LlmsFiles): string {
  if (before === undefined) return "llms.txt is new.";
  if (before.short === after.short && before.full === after.full)
    return "llms.txt and llms-full.txt are unchanged.";
  const old = listPages(before);
  const now = listPages(after);
  const added = [...now.keys()].filter((url) => !old.has(url)).length;
  const gone = [...old.keys()].filter((url) => !now.has(url)).length;
  const changed = [...now].filter(([url, text]) => old.has(url) && old.get(url) !== text).length;
  const files = before.short === after.short ? "llms-full.txt is" : "llms.txt is";
  return `${files} updated: ${added} pages are new, ${changed} changed, ${gone} gone.`;
}

const PAGE = /^# .*\n\nSource: <(\S+)>$/m;

/** The line and the text of each page by its URL. */
function listPages({ short, full }: LlmsFiles): Map<string, string> {
  const pages = new Map<string, string>();
  for (const line of short.split("\n"))
    if (line.startsWith("- [")) pages.set(/\]\((\S+?)\)/.exec(line)?.[1] ?? line, line);
  const [, ...parts] = full.split(PAGE);
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const url = parts[at] ?? "";
    pages.set(url, `${pages.get(url) ?? ""}\n${parts[at + 1] ?? ""}`);
  }
  return pages;
}

async function build(
  { client }: JobConnection,
  url: string,
  parameters: LlmsTxtParameters,
  { budget, maxCharacters, out, json }: LlmsTxtCommandOptions,
): Promise<LlmsTxt> {
  const id = await client.startLlmsTxt(url, parameters);
  for (;;) {
    const full = out !== undefined || json === true;
    const result = await client.llmsTxt(id, { maxTokens: budget, maxCharacters, full });
    if (result.status !== "processing") return result;
    await sleep(POLL_MS);
  }
}
