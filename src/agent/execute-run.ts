// Decides how a run works: its start URLs, its scope, and whether rules or a model lead it.
import { computeSearchPrice } from "../contract/account/prices.ts";
import { Deadline } from "../deadline.ts";
import { RequestError } from "../errors.ts";
import type { Models } from "../models/model.ts";
import { runByModel } from "./model/run-by-model.ts";
import { runByRules } from "./rules/run-by-rules.ts";
import { RunScope } from "./pages/run-scope.ts";
import type { Journal } from "./journal.ts";
import type { ListSite } from "./pages/list-site.ts";
import type { PageReader } from "./pages/read-page.ts";
import type { FoundPage, SearchPages } from "./model/run-tools.ts";
import type { StoredRun } from "./run.ts";
import { extractTerms } from "./answer/terms.ts";
import type { ExecuteRun } from "./agent-kind.ts";

export type ExecuteRunParts = {
  readonly reader: PageReader;
  readonly models: Pick<Models, "role" | "inputTokens">;
  readonly search: SearchPages | undefined;
  readonly listSite?: ListSite | undefined;
  readonly now: () => number;
};

const NO_START =
  "The run has no start page: set urls, or name a URL in the prompt. A search for the prompt found nothing.";
const MAX_STARTS = 8;
const MAX_RESULTS = 10;
const MAX_QUERY = 300;
const SEARCH_TIMEOUT_MS = 30_000;

export function createExecuteRun(parts: ExecuteRunParts): ExecuteRun {
  return async (run, journal, tell) => {
    const { urls, prompt, model: wish, strictConstrainToURLs } = run.options as StoredRun;
    const model = parts.models.role(wish === "spark-1-mini" ? "fast" : "smart");
    const given = urls !== undefined && urls.length > 0 ? urls : findAddresses(prompt);
    const found = given.length > 0 ? [] : await findStarts(parts, journal, run.accountId, prompt);
    const starts = given.length > 0 ? given : found.map(({ url }) => url).slice(0, MAX_STARTS);
    if (starts.length === 0) throw new RequestError("BAD_REQUEST", NO_START);
    const scope = new RunScope(starts, strictConstrainToURLs, given.length > 0);
    const work = { run, journal, starts, scope, tell };
    if (model === undefined) return await runByRules(parts, work);
    return await runByModel({ ...parts, model, inputTokens: parts.models.inputTokens }, work);
  };
}

/** Pages that the server's search finds for the prompt. */
async function findStarts(
  { search }: ExecuteRunParts,
  journal: Journal,
  accountId: string,
  prompt: string,
): Promise<readonly FoundPage[]> {
  const query = extractTerms(prompt, undefined).topic.join(" ").slice(0, MAX_QUERY);
  if (search === undefined || query === "") return [];
  const call = { tool: "search", input: { query }, maxCredits: computeSearchPrice(MAX_RESULTS) };
  return await journal.runStep(call, async (signal) => {
    using deadline = Deadline.start(SEARCH_TIMEOUT_MS, signal);
    const output = await search(query, accountId, deadline);
    const credits = computeSearchPrice(output.length);
    return { output, credits, shown: { results: output.length } };
  });
}

/** Returns the URLs written in a prompt. */
function findAddresses(prompt: string): string[] {
  const found = prompt.match(/https?:\/\/[^\s<>"')\]]+/g) ?? [];
  return [...new Set(found.map((address) => address.replace(/[.,;:!?]+$/, "")))].filter((address) =>
    URL.canParse(address),
  );
}
