// A service whose model plays scripts, with helpers for tests.
import { expect } from "vitest";
import { Secret } from "../../src/settings/secret.ts";
import {
  startModelServer,
  type ChatRequest,
  type ModelServer,
  type Turn,
} from "../model-server.ts";
import { startService, type Service } from "../service.ts";

export type ScriptedService = AsyncDisposable & {
  readonly server: ModelServer;
  readonly service: Service;
  /** Lets the model play these turns; the returned list receives its requests from now on. */
  readonly play: (script: readonly Turn[] | Turn) => {
    readonly asked: () => readonly ChatRequest[];
    /** Fails if turns are left over or a request was invalid. */
    readonly check: () => void;
  };
};

/**
 * Starts both; the service can reach the site at `base`. The model rejects json_schema, as many do.
 */
export async function startScriptedService(base: string): Promise<ScriptedService> {
  let turns: readonly Turn[] | Turn = [];
  let answered = 0;
  const server = await startModelServer({
    key: "canary-model-key",
    refuses: ["json_schema"],
    turns: (request) => {
      const turn = typeof turns === "function" || !("length" in turns) ? turns : turns[answered];
      answered += 1;
      if (turn === undefined) return { status: 400, error: "The script is over." };
      return typeof turn === "function" ? turn(request, answered - 1) : turn;
    },
  });
  const service = await startService(undefined, {
    egressAllow: [new URL(base).host],
    model: "openai-compatible/scripted",
    modelBaseUrl: server.baseUrl,
    modelApiKey: new Secret("canary-model-key"),
    modelInputTokens: 1_000,
  });
  return {
    server,
    service,
    play(script) {
      turns = script;
      answered = 0;
      const from = server.answered.length;
      return {
        asked: () => server.answered.slice(from),
        check: () => {
          server.check();
          if (Array.isArray(script)) expect(answered).toBe(script.length);
        },
      };
    },
    async [Symbol.asyncDispose]() {
      await service.close();
      await server.close();
    },
  };
}

/** Returns the last message: the question with the page. */
export const lastWords = (request: ChatRequest | undefined): string =>
  request?.messages.at(-1)?.content ?? "";

/** Builds a json format of the request. */
export const json = (schema: object, rest: object = {}) => ({ type: "json", schema, ...rest });

export const CHAIR = {
  type: "object",
  properties: {
    name: { type: "string" },
    seats: { type: "integer" },
    delivery: { type: "string" },
    shop: { type: "string", format: "uri" },
  },
  required: ["name"],
};
