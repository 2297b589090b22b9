// Prompts run in live sessions; stored as long as the session.
import type { Kysely } from "kysely";
import type { AgentEvent } from "../../contract/jobs/agent-trace.ts";
import { toStorableJson } from "../database/json-rows.ts";
import type { Tables } from "../database/schema.ts";

export type InteractEventStore = {
  /** Written before it settles; `sequence` counts from 0 per session. */
  add(sessionId: string, sequence: number, event: AgentEvent): Promise<void>;
  /** In order. */
  list(sessionId: string): Promise<AgentEvent[]>;
};

export function createInteractEventStore(kysely: Kysely<Tables>): InteractEventStore {
  return {
    async add(sessionId, sequence, event) {
      await kysely
        .insertInto("interact_events")
        .values({ session_id: sessionId, sequence, event: toStorableJson(event) } as never)
        .execute();
    },
    async list(sessionId) {
      const rows = await kysely
        .selectFrom("interact_events")
        .select("event")
        .where("session_id", "=", sessionId)
        .orderBy("sequence")
        .execute();
      return rows.map(({ event }) => event as AgentEvent);
    },
  };
}
