import type { InteractOptions } from "../../contract/session/interact.ts";
import type { Interact, InteractResult } from "../../interact/interact.ts";
import type { Outcome } from "../../sandbox/outcome.ts";
import type { PublicAddress } from "../public-address.ts";
import type { Call, Handlers } from "../route.ts";
import { buildAddresses } from "./session-addresses.ts";

export type InteractRouteParts = {
  readonly interact: Interact;
  readonly address: PublicAddress;
  /** True if DevTools protocol URLs are returned. */
  readonly cdp: boolean;
};

type Params = { readonly scrapeId: string };

export function createInteractHandlers(parts: InteractRouteParts): Handlers {
  return {
    "POST /v2/scrape/:scrapeId/interact": async ({
      params,
      body,
      identity,
      request,
    }: Call<InteractOptions, unknown, Params>) => {
      const { session, outcome, prompted }: InteractResult = await parts.interact.runInScrape(
        params.scrapeId,
        body,
        identity,
      );
      return {
        ...describeOutcome(outcome),
        ...(prompted === undefined
          ? {}
          : {
              output: prompted.output,
              steps: prompted.steps,
              code: prompted.code,
              tokensUsed: prompted.tokens,
            }),
        sessionId: session.facts.id,
        ...buildAddresses(session, request, parts),
      };
    },

    "GET /v2/scrape/:scrapeId/interact/trace": async ({
      params,
      identity,
    }: Call<unknown, unknown, Params>) => ({
      success: true,
      ...(await parts.interact.traceOfScrape(params.scrapeId, identity)),
    }),

    "DELETE /v2/scrape/:scrapeId/interact": async ({
      params,
      identity,
    }: Call<unknown, unknown, Params>) => {
      const { durationMs, creditsBilled } = await parts.interact.endOfScrape(
        params.scrapeId,
        identity,
      );
      return { success: true, sessionDurationMs: durationMs, creditsBilled };
    },
  };
}

/** Failing code is a response with status 200 and success false (wire contract, section 9.1). */
export function describeOutcome(outcome: Outcome): Record<string, unknown> {
  const { stdout, stderr, result, exitCode, killed, truncated, error } = outcome;
  return {
    success: exitCode === 0,
    stdout,
    ...(result === undefined ? {} : { result }),
    stderr,
    exitCode,
    killed,
    ...(truncated ? { truncated } : {}),
    ...(error === undefined ? {} : { error }),
  };
}
