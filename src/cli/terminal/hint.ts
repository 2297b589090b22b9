// Commands in hints, which work when pasted into the same shell.
import path from "node:path";
import { fileURLToPath } from "node:url";
import { isRunByNpm, type Config } from "../../config.ts";
import type { ServerChoice } from "../connect.ts";

/** Turns "crawl ID" into a full command with the options for the same server. */
export type Hint = (words: string) => string;

/** The file that starts the program. */
export const LAUNCHER = fileURLToPath(new URL("../../../bin/quarry.mjs", import.meta.url));
const DEFAULT_FOLDER = ".quarry";

/** Returns how the program was called: through npm, by name on the PATH, or as a file. */
export function findInvocation(script: string = process.argv[1] ?? ""): string {
  if (isRunByNpm()) return "npx quarry";
  if (path.basename(script) === "quarry") return "quarry";
  const file = path.relative(process.cwd(), LAUNCHER);
  return `node ${quote(file.startsWith("..") ? LAUNCHER : file)}`;
}

export function createHint(
  config: Pick<Config, "dataDir">,
  choice: ServerChoice = {},
  script: string = process.argv[1] ?? "",
): Hint {
  const called = findInvocation(script);
  const isElsewhere = path.resolve(config.dataDir) !== path.resolve(DEFAULT_FOLDER);
  const options =
    choice.apiUrl !== undefined
      ? ` --api-url ${quote(choice.apiUrl)}${choice.apiKey === undefined ? "" : " --api-key KEY"}`
      : isElsewhere
        ? ` --data-dir ${quote(config.dataDir)}`
        : "";
  return (words) => `${called} ${words}${options}`;
}

/** Quotes a word for a shell. */
export const quote = (text: string): string =>
  /^[\w./:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** Rewrites the examples of a help text to how the program was called. */
export const toInvocation = (text: string): string =>
  text.replaceAll(/(?<=^ {2}|\| |\()quarry (?=[a-z])/gm, `${findInvocation()} `);
