import { TOKENS_PER_CREDIT, type Usage, type UsageQuery } from "../../account/usage.ts";
import type { Call, Handlers } from "../route.ts";

type HistoryQuery = { byApiKey?: boolean; timeRange?: "day" | "week" | "month" };
type ActivityQuery = { endpoint?: string; limit: number; cursor?: string };

/** /v2/team and /v2/concurrency-check. `usage` resolves once the database is open. */
export function createTeamHandlers(usage: () => Promise<Usage>): Handlers {
  return {
    "GET /v2/team/credit-usage": async ({ identity }: Call) => ({
      success: true,
      data: await (await usage()).credits(identity),
    }),
    "GET /v2/team/token-usage": async ({ identity }: Call) => ({
      success: true,
      data: await (await usage()).getTokens(identity),
    }),
    "GET /v2/team/credit-usage/historical": async ({
      identity,
      query,
    }: Call<unknown, HistoryQuery>) => ({
      success: true,
      // Clients know the sum under either name.
      periods: (await (await usage()).getHistory(identity, query)).map(
        ({ credits, ...period }) => ({
          ...period,
          creditsUsed: credits,
          totalCredits: credits,
        }),
      ),
    }),
    "GET /v2/team/usage": async ({ identity, query }: Call<unknown, UsageQuery>) => ({
      success: true,
      unit: query.unit,
      periods: (await (await usage()).listPeriods(identity, query)).map(
        ({ credits, pages, ...period }) => ({ ...period, creditsUsed: credits, ...pages }),
      ),
    }),
    "GET /v2/team/token-usage/historical": async ({
      identity,
      query,
    }: Call<unknown, HistoryQuery>) => ({
      success: true,
      periods: (await (await usage()).getHistory(identity, query)).map(
        ({ credits, ...period }) => ({
          ...period,
          tokensUsed: credits * TOKENS_PER_CREDIT,
          totalTokens: credits * TOKENS_PER_CREDIT,
        }),
      ),
    }),
    "GET /v2/team/queue-status": async ({ identity }: Call) => ({
      success: true,
      ...(await (await usage()).getQueueStatus(identity)),
    }),
    "GET /v2/team/activity": async ({ identity, query }: Call<unknown, ActivityQuery>) => ({
      success: true,
      ...(await (await usage()).listActivity(identity, query)),
    }),
    "GET /v2/concurrency-check": async ({ identity }: Call) => ({
      success: true,
      ...(await (await usage()).getConcurrency(identity)),
    }),
  };
}
