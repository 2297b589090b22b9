// A service and its agent runs, shared by the agent's contract tests.
import { setTimeout as pause } from "node:timers/promises";
import { expect } from "vitest";
import { agentStatusResponseSchema, type AgentStatusResponse } from "../src/contract/jobs/agent.ts";
import { agentTraceResponseSchema, type AgentEvent } from "../src/contract/jobs/agent-trace.ts";
import type { Service } from "./service.ts";

const POLL_MS = 40;

export type AgentCalls = {
  /** Starts a run; returns its id. */
  readonly start: (body: object, key?: string) => Promise<string>;
  readonly read: (id: string) => Promise<AgentStatusResponse>;
  /** Waits for the end of a run; returns its state. */
  readonly finish: (id: string) => Promise<AgentStatusResponse>;
  readonly run: (body: object) => Promise<AgentStatusResponse>;
  readonly trace: (id: string) => Promise<readonly AgentEvent[]>;
};

/** Calls of one service; every response is validated against the contract. */
export function agentCalls(service: () => Service): AgentCalls {
  const calls: AgentCalls = {
    async start(body, key) {
      const ask = { method: "POST", body, ...(key === undefined ? {} : { key }) };
      const { status, text, body: answer } = await service().ask("/v2/agent", ask);
      expect(status, text).toBe(200);
      return String(answer["id"]);
    },
    async read(id) {
      const { status, text, body } = await service().ask(`/v2/agent/${id}`);
      expect(status, text).toBe(200);
      return agentStatusResponseSchema.parse(body);
    },
    async finish(id) {
      for (;;) {
        const state = await calls.read(id);
        if (state.status !== "processing") return state;
        await pause(POLL_MS);
      }
    },
    run: async (body) => await calls.finish(await calls.start(body)),
    async trace(id) {
      const { body } = await service().ask(`/v2/agent/${id}/trace`);
      return agentTraceResponseSchema.parse(body).events;
    },
  };
  return calls;
}

/** The column of a described table whose sample or name has the words. */
export const columnWith = (text: string, table: string, words: string): string => {
  const part = text.slice(text.indexOf(`\n${table}: `) + 1).split(/\n(?=\S)/)[0] ?? "";
  const line = part.split("\n").find((one) => one.includes(words)) ?? "";
  return /c\d+/.exec(line)?.[0] ?? `no column with ${words} in ${part}`;
};
