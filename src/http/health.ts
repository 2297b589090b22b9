import { setTimeout as sleep } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import { LimitError, QuarryError } from "../errors.ts";

/**
 * A dependency of the service: `run` resolves when it works and rejects with the reason otherwise.
 */
export type Check = { readonly name: string; readonly run: () => Promise<void> };

/** Load balancers often wait for five seconds. */
const CHECK_TIMEOUT_MS = 4_000;

export const LIVENESS = "/v0/health/liveness";
/** The path that most clients try first. */
export const HEALTH = "/health";
export const ALIVE = { status: "ok" };

/**
 * A check without an answer counts as failed when nothing has worked for this long: a busy process
 * is slow, not broken.
 */
const SLOW_MS = 60_000;

/**
 * Runs the check once at a time. Resolves while it is slow; rejects with its error, or when it
 * hangs.
 */
export function createTolerantCheck(
  { name, run }: Check,
  slowMs = SLOW_MS,
  checkMs = CHECK_TIMEOUT_MS,
): Check {
  let running: Promise<void> | undefined;
  let workedAt = performance.now();
  return {
    name,
    async run() {
      running ??= run()
        .then(() => {
          workedAt = performance.now();
        })
        .finally(() => {
          running = undefined;
        });
      const isDone = await Promise.race([running.then(() => true), sleep(checkMs, false)]);
      if (!isDone && performance.now() - workedAt > slowMs)
        throw new Error(`no answer for ${Math.round((performance.now() - workedAt) / 1_000)} s`);
    },
  };
}

/**
 * Liveness means that the process answers; readiness that everything a request needs answers too.
 */
export function serveHealth(server: FastifyInstance, checks: readonly Check[]): void {
  for (const path of [LIVENESS, HEALTH]) server.get(path, async () => ALIVE);
  const tolerant = checks.map((check) => createTolerantCheck(check));
  server.get("/v0/health/readiness", async (request) => {
    const failures = await runChecks(tolerant);
    if (failures.length === 0) return { status: "ok" };
    request.log.warn({ failures }, "not ready");
    const names = failures
      .map(({ name, publicReason }) =>
        publicReason === undefined ? name : `${name} (${publicReason})`,
      )
      .join(", ");
    throw new LimitError("UNAVAILABLE", `Not ready: ${names}.`, { retryAfterMs: 1_000 });
  });
}

/** Failing part and reason; the reason may contain hosts and folders. */
export type Failure = {
  readonly name: string;
  readonly reason: string;
  /** The public reason, without hosts and folders. */
  readonly publicReason?: string;
};

export const runChecks = async (
  checks: readonly Check[],
  withinMs = CHECK_TIMEOUT_MS,
): Promise<Failure[]> =>
  (await Promise.all(checks.map((check) => findFailure(check, withinMs)))).filter(
    (failure) => failure !== undefined,
  );

async function findFailure(check: Check, withinMs: number): Promise<Failure | undefined> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`no answer within ${withinMs} ms`)), withinMs);
  try {
    await Promise.race([check.run(), promise]);
    return undefined;
  } catch (error) {
    // Messages of our errors are written for callers; causes are for the log.
    const publicReason = error instanceof QuarryError ? error.message : undefined;
    return {
      name: check.name,
      reason: describeReason(error),
      ...(publicReason && { publicReason }),
    };
  } finally {
    clearTimeout(timer);
  }
}

function describeReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { message, cause } = error;
  return cause instanceof Error && cause.message !== "" ? `${message} (${cause.message})` : message;
}

type StorageChecks = { check(): Promise<void>; checkSecrets(): Promise<void> };

/**
 * Checks the parts that the service needs to answer: its store, a common secret, and conversion
 * threads.
 */
export const createChecks = (
  store: () => Promise<StorageChecks>,
  pool: { check(): Promise<void> },
): readonly Check[] => [
  { name: "store", run: async () => (await store()).check() },
  { name: "secrets", run: async () => (await store()).checkSecrets() },
  { name: "conversion threads", run: () => pool.check() },
];
