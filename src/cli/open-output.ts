import { RequestError } from "../errors.ts";
import { openFolder } from "./output-folder.ts";
import { openLinesFile, openStandardOutput } from "./output-lines.ts";
import type { Output, OutputJob } from "./output.ts";

/** Opens what `--out` names; undefined when it is not given. Whoever opens closes. */
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

/** Refuses what `--out` can never mean, before a job is started for it. */
export function checkOutputTarget(target: string | undefined): void {
  if (target === "")
    throw new RequestError("BAD_REQUEST", "--out needs the name of a folder or file.");
  if (target !== undefined && /\.(json|csv|md|txt|html|xml|zip|gz)$/i.test(target))
    throw new RequestError(
      "BAD_REQUEST",
      `--out takes a folder, a file that ends in .ndjson, or - for standard output; ${target} is none of them.`,
    );
}
