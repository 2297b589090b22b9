import { accessSync, constants, existsSync, statSync } from "node:fs";
import path from "node:path";
import { RequestError } from "../../errors.ts";
import { openFolder } from "./output-folder.ts";
import { openLinesFile, openStandardOutput } from "./output-lines.ts";
import { createFault, type Output, type OutputJob } from "./output.ts";

/** Opens the target of `--out`; undefined when it is not given. The caller closes it. */
export async function openOutput(
  target: string | undefined,
  job: OutputJob,
): Promise<Output | undefined> {
  if (target === undefined) return undefined;
  if (target === "-") return openStandardOutput();
  if (isLinesFile(target)) return openLinesFile(target, job);
  return openFolder(target, job);
}

const isLinesFile = (target: string): boolean => /\.(ndjson|jsonl)$/i.test(target);

/** Rejects an invalid or unwritable `--out` before a job is started for it. */
export function checkOutputTarget(target: string | undefined): void {
  if (target === "")
    throw new RequestError("BAD_REQUEST", "--out needs the name of a folder or file.");
  if (target !== undefined && /\.(json|csv|md|txt|html|xml|zip|gz)$/i.test(target))
    throw new RequestError(
      "BAD_REQUEST",
      `--out must be a folder, a file ending in .ndjson, or - for standard output, not ${target}.`,
    );
  if (target === undefined || target === "-") return;
  let folder = path.resolve(isLinesFile(target) ? path.dirname(target) : target);
  while (!isLinesFile(target) && !existsSync(folder) && path.dirname(folder) !== folder)
    folder = path.dirname(folder);
  try {
    if (!statSync(folder).isDirectory())
      throw Object.assign(new Error("no folder"), { code: "ENOTDIR" });
    accessSync(folder, constants.W_OK);
  } catch (error) {
    throw createFault(target, error);
  }
}
