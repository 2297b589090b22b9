import { loadAdSummary, saveAdLists, type AdSummary } from "../../browser/blocking/ad-lists.ts";
import type { Config } from "../../config.ts";
import { Deadline } from "../../deadline.ts";
import { createEgress } from "../../egress/dispatchers.ts";
import { createHttpEngine } from "../../engines/http.ts";
import { RequestError, TargetError } from "../../errors.ts";
import { createLogger } from "../../logger.ts";
import { createMetrics } from "../../metrics.ts";
import { getListsFolder } from "../../store/database/data-folder.ts";

type Options = { readonly json?: boolean };

const FETCH_TIMEOUT_MS = 120_000;
const MAX_BYTES = 50 * 2 ** 20;
const print = (line: string): void => void process.stdout.write(`${line}\n`);

/**
 * `quarry lists update`: downloads the lists through the gate and compiles them. If one fails, the
 * previous ones stay.
 */
export async function updateLists(config: Config, { json }: Options): Promise<void> {
  if (config.adLists.length === 0)
    throw new RequestError("BAD_REQUEST", "QUARRY_AD_LISTS names no list.");
  const metrics = createMetrics();
  await using egress = createEgress(config, { metrics });
  const http = createHttpEngine({ egress, config, log: createLogger("silent"), metrics });
  const sources: { url: string; text: string }[] = [];
  for (const url of config.adLists) {
    using deadline = Deadline.start(FETCH_TIMEOUT_MS);
    const request = { url, headers: {}, skipTlsVerification: false, maxBytes: MAX_BYTES };
    const outcome = await http.fetch(request, deadline);
    if (outcome.kind === "failed") throw outcome.error;
    if (outcome.kind === "unsuitable" || outcome.capture.statusCode !== 200)
      throw new TargetError("SCRAPE_SITE_ERROR", `${url} returned no list.`);
    sources.push({ url, text: Buffer.from(outcome.capture.body).toString("utf8") });
  }
  try {
    describe(await saveAdLists(getListsFolder(config), sources, new Date()), json);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new TargetError("SCRAPE_SITE_ERROR", error.message, { cause: error });
  }
}

/** `quarry lists show`: what is blocked, and since when. */
export async function showLists(config: Config, { json }: Options): Promise<void> {
  const summary = await loadAdSummary(getListsFolder(config));
  if (summary === undefined && json === true) print(JSON.stringify({ rules: 0, lists: [] }));
  else if (summary === undefined)
    print("Only Quarry's built-in list of hosts; the command lists update downloads more.");
  else describe(summary, json);
}

function describe(summary: AdSummary, json?: boolean): void {
  if (json === true) {
    print(JSON.stringify(summary, null, 2));
    return;
  }
  const { madeAt, rules, lists } = summary;
  print(`${rules} rules, compiled ${madeAt}, in addition to Quarry's built-in list of hosts`);
  for (const list of lists)
    print(`  ${list.url}  ${list.rules} rules, ${Math.ceil(list.bytes / 1_024)} kB`);
}
