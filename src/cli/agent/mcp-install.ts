// Adds the MCP server of this installation to a client's settings, after showing what will be
// written.
import { mkdir, readFile, realpath, rename, stat, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { createInterface } from "node:readline/promises";
import { readFolderSettings, type Config } from "../../config.ts";
import { RequestError } from "../../errors.ts";
import type { ServerChoice } from "../connect.ts";
import { LAUNCHER } from "../terminal/hint.ts";
import { MCP_CLIENTS, type Launch } from "./mcp-clients.ts";
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
  const before = await readFile(file, "utf8").catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "";
    throw error;
  });
  const shown = client.show(launch);
  let after: string;
  try {
    after = client.write(before, launch);
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    throw new RequestError("BAD_REQUEST", `${error.message} Add this to ${file}: ${shown}`);
  }
  if (options.json !== true) process.stderr.write(`${client.title}: ${file} gets\n${shown}\n`);
  if (after !== before) {
    if (options.yes !== true && !(await confirm()))
      throw new RequestError("BAD_REQUEST", "Nothing was written. Give --yes to write it.");
    await replaceFile(file, after);
  }
  const changed = after !== before;
  if (options.json === true)
    process.stdout.write(`${JSON.stringify({ client: name, file, changed, ...launch })}\n`);
  else
    process.stderr.write(
      changed
        ? `Written. Restart ${client.title} to use it.\n`
        : "It is already configured; nothing was changed.\n",
    );
}

/** Atomic: a client that reads meanwhile sees either version. A link to the file stays one. */
async function replaceFile(file: string, text: string): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  const target = await realpath(file).catch(() => file);
  const mode = await stat(target).then(
    (found) => found.mode,
    () => 0o600,
  );
  await writeFile(`${target}.quarry`, text, { mode });
  await rename(`${target}.quarry`, target);
}

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
