import type { FastifyInstance } from "fastify";
import { LimitError } from "../errors.ts";

/** One dependency of the service: resolves when it works, rejects with the reason when not. */
export type Check = { readonly name: string; readonly run: () => Promise<void> };

const CHECK_MS = 5_000;

export const LIVENESS = "/v0/health/liveness";
export const ALIVE = { status: "ok" };

/** Liveness says that the process answers; readiness that everything a request needs answers, too. */
export function serveHealth(server: FastifyInstance, checks: readonly Check[]): void {
  server.get(LIVENESS, async () => ALIVE);
  server.get("/v0/health/readiness", async (request) => {
    const failures = (await Promise.all(checks.map(failureOf))).filter(
      (failure) => failure !== undefined,
    );
    if (failures.length === 0) return { status: "ok" };
    request.log.warn({ failures }, "not ready");
    // Anybody may ask, and a reason can name hosts and folders: that is for the log.
    const names = failures.map(({ name }) => name).join(", ");
    throw new LimitError("UNAVAILABLE", `Not ready: ${names}.`, { retryAfterMs: 1_000 });
  });
}

type Failure = { readonly name: string; readonly reason: string };

async function failureOf(check: Check): Promise<Failure | undefined> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`no answer within ${CHECK_MS} ms`)), CHECK_MS);
  try {
    await Promise.race([check.run(), promise]);
    return undefined;
  } catch (error) {
    return { name: check.name, reason: error instanceof Error ? error.message : String(error) };
  } finally {
    clearTimeout(timer);
  }
}
