// Runs the cases one after the other against a server, each within its time limit.
import { openCanary } from "./canary.ts";
import { CASES } from "./cases/index.ts";
import {
  reportSkipped,
  type CaseContext,
  type Finding,
  type HostileCase,
  type Outcome,
  type Severity,
} from "./hostile-case.ts";
import { openHostileSite } from "./hostile-site.ts";
import { watchMemory } from "./process-memory.ts";
import { connectToTarget, describeReply, type Target } from "./target.ts";

export type HostileOptions = {
  readonly target: string;
  readonly key?: string | undefined;
  /** Names of cases, or prefixes; default: all. */
  readonly only?: readonly string[] | undefined;
  /** Address of the hostile site, which the target may reach. */
  readonly address: string;
  readonly isSmall: boolean;
  /** Process id of the target on this machine, to watch its memory. */
  readonly pid?: number | undefined;
  readonly onResult?: (result: CaseResult) => void;
};

export type CaseResult = {
  readonly name: string;
  readonly severity: Severity;
  readonly attack: string;
  readonly promise: string;
  readonly outcome: Outcome;
  readonly evidence: string;
  readonly ms: number;
  readonly peakMemoryBytes?: number;
};

export type HostileReport = {
  readonly target: string;
  readonly startedAt: string;
  readonly size: "small" | "full";
  readonly counts: Readonly<Record<Outcome, number>>;
  readonly results: readonly CaseResult[];
};

const RECOVERY_MS = 30_000;
const BROWSER_START_MS = 60_000;

/**
 * An invalid call: an unknown case, or a server that does not answer or cannot reach the hostile
 * site.
 */
export class HostileCallError extends Error {
  override readonly name = "HostileCallError";
}

/** Throws HostileCallError. */
export async function runHostile(options: HostileOptions): Promise<HostileReport> {
  const cases = chooseCases(options.only);
  const startedAt = new Date().toISOString();
  await using site = await openHostileSite(options.address).catch((cause: unknown) => {
    throw new HostileCallError(
      `The hostile site cannot listen on ${options.address}; name another address with --address.`,
      { cause },
    );
  });
  await using canary = await openCanary();
  const target = connectToTarget(options.target, options.key, site);
  await checkTarget(target, site.goodPage.url, options.address);
  const missing = await findMissing(target, site.goodPage.url);
  using memory = options.pid === undefined ? undefined : watchMemory(options.pid);
  if (options.pid !== undefined && memory === undefined)
    throw new HostileCallError(`The memory of process ${options.pid} cannot be read.`);
  const results: CaseResult[] = [];
  let gone: string | undefined;
  for (const each of cases) {
    canary.reset();
    memory?.reset();
    const from = performance.now();
    const context: CaseContext = {
      target,
      site,
      canary,
      isSmall: options.isSmall,
      peakMemory: () => memory?.getPeak(),
      signal: AbortSignal.timeout(each.budgetMs),
    };
    const finding =
      gone === undefined
        ? await runCase(each, missing, context)
        : reportSkipped(`the target is gone since ${gone}`);
    // A target restarted by its supervisor gets time for it.
    if (
      finding.outcome === "broke" &&
      (await target.explainNotAlive(RECOVERY_MS)) !== undefined &&
      (await target.explainNotAlive(RECOVERY_MS)) !== undefined
    )
      gone = each.name;
    const peak = memory?.getPeak();
    site.reset();
    const { name, severity, attack, promise } = each;
    const result: CaseResult = {
      name,
      severity,
      attack,
      promise,
      ...finding,
      ms: Math.round(performance.now() - from),
      ...(peak === undefined ? {} : { peakMemoryBytes: peak }),
    };
    results.push(result);
    options.onResult?.(result);
  }
  const count = (outcome: Outcome): number =>
    results.filter((each) => each.outcome === outcome).length;
  return {
    target: target.url,
    startedAt,
    size: options.isSmall ? "small" : "full",
    counts: { held: count("held"), broke: count("broke"), skipped: count("skipped") },
    results,
  };
}

/** Throws HostileCallError for an unknown name. */
export function chooseCases(only: readonly string[] | undefined): readonly HostileCase[] {
  if (only === undefined || only.length === 0) return CASES;
  for (const name of only)
    if (!CASES.some((each) => each.name.startsWith(name)))
      throw new HostileCallError(`There is no case "${name}"; --list lists them.`);
  return CASES.filter((each) => only.some((name) => each.name.startsWith(name)));
}

async function runCase(
  each: HostileCase,
  missing: ReadonlyMap<string, string>,
  context: CaseContext,
): Promise<Finding> {
  for (const need of each.needs ?? []) {
    const reason = missing.get(need);
    if (reason !== undefined) return { outcome: "skipped", evidence: reason };
  }
  const { promise, reject } = Promise.withResolvers<never>();
  const end = (): void => reject(new Error(`the budget of ${each.budgetMs} ms was spent`));
  context.signal.addEventListener("abort", end, { once: true });
  try {
    const finding = await Promise.race([each.run(context), promise]);
    if (finding.outcome !== "held") return finding;
    // A server that is still busy or not running fails regardless of its answer.
    const fault = await context.target.explainNotAlive();
    if (fault !== undefined) return { outcome: "broke", evidence: `${finding.evidence}; ${fault}` };
    return { outcome: "held", evidence: `${finding.evidence}; the good page was read afterwards` };
  } catch (error) {
    return { outcome: "broke", evidence: error instanceof Error ? error.message : String(error) };
  } finally {
    context.signal.removeEventListener("abort", end);
  }
}

async function checkTarget(target: Target, url: string, address: string): Promise<void> {
  const reply = await target.scrape(url, {}, 30_000);
  if (reply.fault !== undefined)
    throw new HostileCallError(`${target.url} does not answer: ${describeReply(reply)}.`);
  if (reply.status === 401)
    throw new HostileCallError(`${target.url} wants a key: name one with --key.`);
  const fault = await target.explainNotAlive();
  if (fault !== undefined)
    throw new HostileCallError(
      `The target cannot read the control page ${url} (${describeReply(reply)}). Allow it that address and nothing else of loopback; for Quarry: QUARRY_EGRESS_ALLOW=${address}.`,
    );
}

/** Returns the target's missing capabilities, with reasons, by trying it on the good page. */
async function findMissing(target: Target, url: string): Promise<Map<string, string>> {
  const missing = new Map<string, string>();
  const { body } = await target.get("/v2/capabilities", 10_000);
  const browser = body["browser"] as
    | { readonly available?: boolean; readonly reason?: string }
    | undefined;
  if (browser?.available === false)
    missing.set("browser", browser.reason ?? "the target has no browser");
  if (!missing.has("browser")) {
    // Also starts the browser, which must not count against a case.
    const reply = await target.scrape(`${url}?browser`, { waitFor: 100 }, BROWSER_START_MS);
    if (reply.status !== 200)
      missing.set("browser", `the target shows no page in a browser: ${describeReply(reply)}`);
  }
  const capabilities = (body["capabilities"] ?? {}) as Record<
    string,
    { readonly available?: boolean; readonly reason?: string }
  >;
  for (const name of ["crawl", "map"]) {
    const found = capabilities[name];
    if (found?.available === false) missing.set(name, found.reason ?? `the target has no ${name}`);
  }
  return missing;
}
