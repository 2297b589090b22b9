import type { Usage } from "../../account/usage.ts";
import type { Call, Handlers } from "../route.ts";
import { createTeamHandlers } from "../v2/team.ts";
import { toV1Handlers } from "./to-v1-handlers.ts";

/** Like /v2, with the old names beside the new ones. `usage` resolves once the database is open. */
export function createV1TeamHandlers(usage: () => Promise<Usage>): Handlers {
  return {
    ...toV1Handlers(createTeamHandlers(usage)),
    "GET /v1/team/credit-usage": async ({ identity }: Call) => ({
      success: true,
      data: withOldNames(await (await usage()).credits(identity)),
    }),
    "GET /v1/team/token-usage": async ({ identity }: Call) => ({
      success: true,
      data: withOldNames(await (await usage()).getTokens(identity)),
    }),
  };
}

/** Adds `remaining_credits` beside `remainingCredits`. */
function withOldNames(values: object): Record<string, unknown> {
  const old = Object.entries(values).map(([name, value]): [string, unknown] => [
    name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    value,
  ]);
  return { ...values, ...Object.fromEntries(old) };
}
