// Pages whose scripts exhaust the browser: console, memory, processor, windows, dialogs. Passes if
// the server answers in time and continues.
import {
  reportBroke,
  reportHeld,
  reportSkipped,
  type HostileCase,
  type Severity,
} from "../hostile-case.ts";
import { MEMORY_LIMIT_BYTES } from "../limits.ts";
import { describeReply } from "../target.ts";

const TIMEOUT_MS = 40_000;
const SMALL_TIMEOUT_MS = 12_000;

export type Flood = {
  readonly name: string;
  readonly attack: string;
  readonly severity: Severity;
  /** A script that runs after it has reported to the site; `n` is 1 at full size. */
  readonly script: (n: number) => string;
};

export const buildBrowserFlood = ({ name, attack, severity, script }: Flood): HostileCase => ({
  name,
  attack,
  promise: "The server and its other pages go on; the scrape is answered in time.",
  severity,
  needs: ["browser"],
  budgetMs: 150_000,
  async run({ target, site, isSmall, peakMemory }) {
    const ran = site.serve("ran", "ran");
    const body = script(isSmall ? 0.1 : 1);
    const page = site.serve(
      "flood",
      `<!doctype html><title>Flood</title><body><main><p>A page with a script that takes too much of the machine.</p></main>
<script>fetch(${JSON.stringify(ran.url)}).finally(() => setTimeout(() => { ${body} }, 0));</script>`,
    );
    const [waitFor, timeoutMs] = isSmall ? [1_000, SMALL_TIMEOUT_MS] : [3_000, TIMEOUT_MS];
    const reply = await target.scrape(page.url, { waitFor }, timeoutMs);
    if (reply.status === 0) return reportBroke(describeReply(reply));
    if (ran.requests() === 0)
      return reportSkipped(`the target ran no script of the page: ${describeReply(reply)}`);
    const peak = peakMemory();
    if (peak !== undefined && peak > MEMORY_LIMIT_BYTES)
      return reportBroke(`memory rose to ${Math.round(peak / 1024 ** 2)} MiB`);
    return reportHeld(`its script ran; ${describeReply(reply)}`);
  },
});
