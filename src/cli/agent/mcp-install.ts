// Adds the MCP server of this installation to a client's settings, after showing what will be
// written.
import {
  chmod,
  mkdir,
  readFile,
  readlink,
  realpath,
  rename,
  rm,
  stat,
  writeFile,
} from "node:fs/promises";
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
  if (after !== before && options.yes !== true && !(await confirm()))
    throw new RequestError("BAD_REQUEST", "Nothing was written. Give --yes to write it.");
  const changed = after !== before;
  const target = await resolveLinks(file);
  const oldMode = await readMode(target);
  const hasKey = options.apiUrl !== undefined && options.apiKey !== undefined;
  const mode = hasKey ? (oldMode ?? OWNER_ONLY) & OWNER_ONLY : (oldMode ?? OWNER_ONLY);
  if (changed) await replaceFile(target, after, mode);
  else if (mode !== oldMode) await chmod(target, mode);
  if (options.json === true) {
    const facts = { client: name, file, changed, mode: formatMode(mode) };
    process.stdout.write(`${JSON.stringify({ ...facts, ...launch })}\n`);
    return;
  }
  if (oldMode !== undefined && mode !== oldMode)
    process.stderr.write(
      `The file has an API key, so its mode is ${formatMode(mode)} now (it was ${formatMode(oldMode)}).\n`,
    );
  process.stderr.write(
    changed
      ? `Written. Restart ${client.title} to use it.\n`
      : "It is already configured; its content was not changed.\n",
  );
}

/** Atomic: a client that reads meanwhile sees either version. `file` is no link. */
async function replaceFile(file: string, text: string, mode: number): Promise<void> {
  const temporary = `${file}.quarry`;
  await mkdir(path.dirname(file), { recursive: true });
  // Left by a process that was killed; a new file would keep its mode.
  await rm(temporary, { force: true });
  await writeFile(temporary, text, { mode, flag: "wx" });
  await chmod(temporary, mode);
  await rename(temporary, file);
}

/** Follows links, also to a file that does not exist yet: the links stay. */
async function resolveLinks(file: string): Promise<string> {
  try {
    return await realpath(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    const target = await readlink(file).catch(() => undefined);
    if (target === undefined) return file;
    return await resolveLinks(path.resolve(await realpath(path.dirname(file)), target));
  }
}

const OWNER_ONLY = 0o600;

/** Mode of a file that exists, without the file type. */
const readMode = async (file: string): Promise<number | undefined> =>
  await stat(file).then(
    (found) => found.mode & 0o777,
    () => undefined,
  );

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
