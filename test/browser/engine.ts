// A browser engine with its own pool, for tests. It may reach the hosts in `egressAllow`, by
// default loopback.
import { ANONYMOUS_IDENTITY } from "../../src/account/identity.ts";
import { createSlots } from "../../src/account/slots.ts";
import type { LaunchedBrowser } from "../../src/browser/chromium/launch.ts";
import { countSlots, computePoolLimits, type PoolLimits } from "../../src/browser/pool-limits.ts";
import { createBrowserPool } from "../../src/browser/pool.ts";
import type { Capture } from "../../src/capture.ts";
import { createTestConfig, type Config } from "../../src/config.ts";
import { Deadline } from "../../src/deadline.ts";
import { openLane } from "../../src/egress/browser-proxy.ts";
import { createEgress } from "../../src/egress/dispatchers.ts";
import type { Lookup } from "../../src/egress/resolver.ts";
import { createBrowserEngine, type BrowserFetch } from "../../src/engines/browser.ts";
import type { Outcome } from "../../src/engines/engine.ts";
import type { QuarryError } from "../../src/errors.ts";
import { createLogger } from "../../src/logger.ts";
import { createMetrics } from "../../src/metrics.ts";
import { launchTestBrowserThrough } from "./launch.ts";

export type EngineOptions = {
  readonly config?: Partial<Config>;
  readonly lookup?: Lookup;
  readonly limits?: Partial<PoolLimits>;
  readonly slots?: number;
  /** Awaited before the browser starts, to simulate unpacking. */
  readonly before?: Promise<void>;
  /** Launch options of its browsers. */
  readonly launch?: Parameters<typeof launchTestBrowserThrough>[0];
  /** Called for every started browser. */
  readonly onLaunched?: (launched: LaunchedBrowser) => void;
};

/** The caller closes it. */
export function buildBrowserEngine(options: EngineOptions = {}) {
  const config = createTestConfig({ egressAllow: ["127.0.0.1"], ...options.config });
  const log = createLogger("silent");
  const metrics = createMetrics();
  const egress = createEgress(config, {
    metrics,
    ...(options.lookup === undefined ? {} : { lookup: options.lookup }),
  });
  const pool = createBrowserPool({
    launch: async (appearance) => {
      await options.before;
      const launched = await launchTestBrowserThrough({ ...options.launch, appearance });
      options.onLaunched?.(launched);
      return launched;
    },
    openLane: (lane) => openLane(egress, lane),
    limits: { ...computePoolLimits(countSlots()), ...options.limits },
    log,
  });
  const slots = createSlots({ maxConcurrency: options.slots ?? 4 });
  const engine = createBrowserEngine({ pool: async () => pool, slots, config, log, metrics });

  async function fetch(
    request: Partial<BrowserFetch> & { url: string },
    timeoutMs = 30_000,
  ): Promise<Outcome> {
    using deadline = Deadline.start(timeoutMs);
    return await engine.fetch({ ...PLAIN, timeoutMs, ...request }, deadline);
  }
  return {
    pool,
    fetch,
    async capture(
      request: Partial<BrowserFetch> & { url: string },
      timeoutMs?: number,
    ): Promise<Capture & { text: string }> {
      const outcome = await fetch(request, timeoutMs);
      if (outcome.kind === "captured")
        return { ...outcome.capture, text: Buffer.from(outcome.capture.body).toString("utf8") };
      throw outcome.kind === "failed" ? outcome.error : new Error(outcome.missing);
    },
    async failure(
      request: Partial<BrowserFetch> & { url: string },
      timeoutMs?: number,
    ): Promise<QuarryError> {
      const outcome = await fetch(request, timeoutMs);
      if (outcome.kind === "failed") return outcome.error;
      throw new Error(`expected a failure, but it was ${outcome.kind}`);
    },
    async close() {
      await pool.close();
      await egress.close();
    },
  };
}

const PLAIN: Omit<BrowserFetch, "url" | "timeoutMs"> = {
  headers: {},
  languages: [],
  country: undefined,
  mobile: false,
  skipTlsVerification: true,
  blockAds: false,
  proxy: undefined,
  proxyUsed: "basic",
  enhanced: false,
  mayRedirect: undefined,
  identity: ANONYMOUS_IDENTITY,
  waitForMs: 0,
  actions: [],
};
