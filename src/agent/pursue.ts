// Which way a run takes: where it starts, where it may go, by rules or by a model.
import { RequestError } from "../errors.ts";
import { workByRules } from "./by-rules.ts";
import { Fence } from "./fence.ts";
import type { PageReader } from "./read-page.ts";
import type { KeptRun } from "./run.ts";
import type { Pursue } from "./worker.ts";

export type PursueParts = {
  readonly reader: PageReader;
  readonly now: () => number;
};

const NO_START =
  "The run has no place to start: give it urls, or name an address in the prompt. This server has no index to search.";

export function createPursue(parts: PursueParts): Pursue {
  return async (run, journal, tell) => {
    const { urls, prompt, strictConstrainToURLs } = run.options as KeptRun;
    const starts = urls !== undefined && urls.length > 0 ? urls : addressesIn(prompt);
    if (starts.length === 0) throw new RequestError("BAD_REQUEST", NO_START);
    const fence = new Fence(starts, strictConstrainToURLs);
    return await workByRules(parts, { run, journal, starts, fence, tell });
  };
}

/** Addresses that are written out in a prompt. */
function addressesIn(prompt: string): string[] {
  const found = prompt.match(/https?:\/\/[^\s<>"')\]]+/g) ?? [];
  return [...new Set(found.map((address) => address.replace(/[.,;:!?]+$/, "")))].filter((address) =>
    URL.canParse(address),
  );
}
