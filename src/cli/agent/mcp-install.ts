// Adds the MCP server of this installation to a client's settings, after showing what will be
// written.
import os from "node:os";
import path from "node:path";
import { createInterface } from "node:readline/promises";
import { readFolderSettings, type Config } from "../../config.ts";
import { RequestError } from "../../errors.ts";
import type { ServerChoice } from "../connect.ts";
import { LAUNCHER } from "../terminal/hint.ts";
import { MCP_CLIENTS, type Launch } from "./mcp-clients.ts";
import { readIfExists, readMode, replaceFile } from "./replace-file.ts";
import { toPlainLine } from "../terminal/terminal-text.ts";

export type McpInstallOptions = ServerChoice & {
  readonly tools?: string;
  readonly yes?: boolean;
  readonly json?: boolean;
};

/**
 * Throws BAD_REQUEST for an unknown client, a file that cannot be changed safely, and without a
 * terminal to confirm.
 */
export async function installMcp(
  config: Config,
  name: string,
  options: McpInstallOptions,
): Promise<void> {
  const client = MCP_CLIENTS.get(name);
  if (client === undefined)
    throw new RequestError(
      "BAD_REQUEST",
      `Unknown client "${toPlainLine(name)}". Known clients: ${[...MCP_CLIENTS.keys()].join(", ")}.`,
    );
  const launch = toLaunch(config, options);
  const file = client.file({
    platform: process.platform,
    home: os.homedir(),
    environment: readFolderSettings(),
  });
  const before = (await readIfExists(file)) ?? "";
  const shown = client.show(launch);
  let after: string;
  try {
    after = client.write(before, launch);
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    throw new RequestError("BAD_REQUEST", `${error.message} Add this to ${file}: ${shown}`);
  }
  if (options.json !== true) process.stderr.write(`${client.title}: ${file} gets\n${shown}\n`);
  const changed = after !== before;
  if (changed && options.yes !== true && !(await confirm()))
    throw new RequestError("BAD_REQUEST", "Nothing was written. Give --yes to write it.");
  if (changed) await replaceFile(file, after);
  const mode = (await readMode(file)) ?? 0;
  if (options.json === true) {
    const facts = { client: name, file, changed, mode: formatMode(mode) };
    process.stdout.write(`${JSON.stringify({ ...facts, ...launch })}\n`);
    return;
  }
  const hasKey = options.apiUrl !== undefined && options.apiKey !== undefined;
  if (hasKey && (mode & OTHERS_READ) !== 0)
    process.stderr.write(
      `Other users can read the API key in the file (mode ${formatMode(mode)}). Run: chmod 600 '${file}'\n`,
    );
  process.stderr.write(
    changed
      ? `Written. Restart ${client.title} to use it.\n`
      : "It is already configured; its content was not changed.\n",
  );
}

/** Read permission of the group and of others. */
const OTHERS_READ = 0o044;

const formatMode = (mode: number): string => `0${mode.toString(8).padStart(3, "0")}`;

/** Full paths, because clients start it in their own folders. */
function toLaunch(config: Config, { apiUrl, apiKey, tools }: McpInstallOptions): Launch {
  const server =
    apiUrl === undefined
      ? ["--data-dir", path.resolve(config.dataDir), "mcp"]
      : ["mcp", "--api-url", apiUrl, ...(apiKey === undefined ? [] : ["--api-key", apiKey])];
  return {
    command: process.execPath,
    args: [LAUNCHER, ...server, ...(tools === undefined ? [] : ["--tools", tools])],
  };
}

async function confirm(): Promise<boolean> {
  if (!process.stdin.isTTY) return false;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(?:es)?$/i.test((await terminal.question("Write it (y/n)? ")).trim());
  } finally {
    terminal.close();
  }
}
