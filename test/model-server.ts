// A chat completions server that answers from a script. It proves what is sent to a model and how
// answers are used, not understanding. It rejects what real servers reject, in their words, and
// records every fault a strict server would find.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export type ChatMessage = {
  readonly role: string;
  readonly content: string | null;
  readonly tool_calls?: readonly {
    readonly id: string;
    readonly type: string;
    readonly function: { readonly name: string; readonly arguments: string };
  }[];
  readonly tool_call_id?: string;
};

export type ChatRequest = {
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  readonly tools?: readonly {
    readonly type: string;
    readonly function: { readonly name: string; readonly parameters: Record<string, unknown> };
  }[];
  readonly response_format?: {
    readonly type: string;
    readonly json_schema?: { readonly name: string; readonly schema: Record<string, unknown> };
  };
  readonly temperature?: number;
  readonly max_tokens?: number;
  readonly max_completion_tokens?: number;
};

/** One answer of the script. */
export type ScriptedAnswer =
  | { readonly text: string; readonly finish?: "stop" | "length" | "content_filter" }
  /** This value as JSON text. */
  | { readonly json: unknown }
  | {
      readonly toolCalls: readonly { readonly name: string; readonly arguments: unknown }[];
      readonly text?: string;
    }
  /** A status with its error text, such as 429. */
  | { readonly status: number; readonly error?: string; readonly headers?: Record<string, string> }
  /** A body that violates the protocol. */
  | { readonly raw: string; readonly type?: string }
  /** The text, cut after this many bytes of the body. */
  | { readonly cutAfter: number; readonly text: string }
  /** Starts to answer and sends a space at intervals, forever. */
  | { readonly trickle: true }
  /** Never answers. */
  | { readonly hang: true };

/** A turn may inspect the request; what it throws fails the test that awaits `check`. */
export type Turn = ScriptedAnswer | ((request: ChatRequest, nth: number) => ScriptedAnswer);

export type Refusal = "json_schema" | "json_object" | "tools" | "temperature" | "max_tokens";

export type ModelServerOptions = {
  /** Used in order. A single function answers every request. */
  readonly turns: readonly Turn[] | Turn;
  readonly refuses?: readonly Refusal[];
  /** When set, every request must send it. */
  readonly key?: string;
};

export type ModelServer = AsyncDisposable & {
  /** Ends in /v1. */
  readonly baseUrl: string;
  /** Every parsed request in order, including rejected ones. */
  readonly requests: readonly ChatRequest[];
  /** Headers of every request in order. */
  readonly headers: readonly IncomingMessage["headers"][];
  /** Requests answered from the script. */
  readonly answered: readonly ChatRequest[];
  /** Throws the faults of the requests, and when turns are left over. */
  readonly check: () => void;
  readonly close: () => Promise<void>;
};

/** Starts the server on a free port of 127.0.0.1. */
export async function startModelServer(options: ModelServerOptions): Promise<ModelServer> {
  const script = new Script(options);
  const server = createServer((request, response) => {
    script.serve(request, response).catch((error: unknown) => {
      script.faults.push(error instanceof Error ? error.message : String(error));
      response.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const close = (): Promise<void> => {
    script.stop();
    return new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  };
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    requests: script.requests,
    headers: script.headers,
    answered: script.answered,
    check: () => script.check(),
    close,
    [Symbol.asyncDispose]: close,
  };
}

class Script {
  readonly requests: ChatRequest[] = [];
  readonly headers: IncomingMessage["headers"][] = [];
  readonly answered: ChatRequest[] = [];
  readonly faults: string[] = [];
  readonly #options: ModelServerOptions;
  readonly #timers = new Set<NodeJS.Timeout>();

  constructor(options: ModelServerOptions) {
    this.#options = options;
  }

  stop(): void {
    for (const timer of this.#timers) clearInterval(timer);
  }

  check(): void {
    const { turns } = this.#options;
    const left = Array.isArray(turns) ? turns.length - this.answered.length : 0;
    const faults = left > 0 ? [...this.faults, `${left} turns were not asked for`] : this.faults;
    if (faults.length > 0) throw new Error(`The model server was misused: ${faults.join("; ")}`);
  }

  async serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    this.headers.push(incoming.headers);
    const refuse = (status: number, error: string): void =>
      send(response, status, { error: { message: error, type: "invalid_request_error" } });
    if (incoming.method !== "POST" || incoming.url !== "/v1/chat/completions") {
      this.faults.push(`${incoming.method} ${incoming.url}`);
      return refuse(404, "Unknown request URL.");
    }
    const { key } = this.#options;
    if (key !== undefined && incoming.headers.authorization !== `Bearer ${key}`)
      return refuse(401, `Incorrect API key provided: ${incoming.headers.authorization ?? "none"}`);
    const request = JSON.parse(Buffer.concat(chunks).toString("utf8")) as ChatRequest;
    this.requests.push(request);
    const fault = faultOf(request);
    if (fault !== undefined) {
      this.faults.push(fault);
      return refuse(400, fault);
    }
    const refusal = refusalOf(request, this.#options.refuses ?? []);
    if (refusal !== undefined) return refuse(400, refusal);
    this.#answer(request, response);
  }

  #answer(request: ChatRequest, response: ServerResponse): void {
    const { turns } = this.#options;
    const nth = this.answered.length;
    const turn = isList(turns) ? turns[nth] : turns;
    this.answered.push(request);
    if (turn === undefined) {
      this.faults.push(`asked ${nth + 1} times, more often than scripted`);
      return send(response, 400, { error: { message: "The script is over." } });
    }
    this.#play(typeof turn === "function" ? turn(request, nth) : turn, request, response);
  }

  #play(answer: ScriptedAnswer, request: ChatRequest, response: ServerResponse): void {
    if ("hang" in answer) return;
    if ("status" in answer) {
      for (const [name, value] of Object.entries(answer.headers ?? {}))
        response.setHeader(name, value);
      const message = answer.error ?? `Status ${answer.status}.`;
      return send(response, answer.status, { error: { message } });
    }
    if ("raw" in answer) {
      response.writeHead(200, { "content-type": answer.type ?? "application/json" });
      response.end(answer.raw);
      return;
    }
    if ("trickle" in answer) {
      response.writeHead(200, { "content-type": "application/json" });
      response.write(" ");
      this.#timers.add(setInterval(() => response.write(" "), 20));
      return;
    }
    const body = JSON.stringify(completion(request, answer));
    if ("cutAfter" in answer) {
      response.writeHead(200, {
        "content-type": "application/json",
        "content-length": Buffer.byteLength(body),
      });
      response.write(body.slice(0, answer.cutAfter), () => response.destroy());
      return;
    }
    response.writeHead(200, { "content-type": "application/json" }).end(body);
  }
}

const isList = (turns: ModelServerOptions["turns"]): turns is readonly Turn[] =>
  Array.isArray(turns);

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

/** Returns what a strict server would reject. Source: the chat completions reference. */
function faultOf(request: ChatRequest): string | undefined {
  if (typeof request.model !== "string" || request.model === "") return "you must provide a model";
  if (!Array.isArray(request.messages) || request.messages.length === 0)
    return "messages must not be empty";
  const unknown = Object.keys(request).find((name) => !FIELDS.has(name));
  if (unknown !== undefined) return `Unrecognized request argument supplied: ${unknown}`;
  const limit = request.max_tokens ?? request.max_completion_tokens;
  if (!Number.isInteger(limit) || (limit ?? 0) < 1) return "max_tokens must be at least 1";
  const schema = request.response_format?.json_schema;
  if (request.response_format?.type === "json_schema" && typeof schema?.schema !== "object")
    return "Missing required parameter: 'response_format.json_schema.schema'";
  if (
    request.response_format?.type === "json_object" &&
    !request.messages.some(({ content }) => /json/i.test(content ?? ""))
  )
    return "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'.";
  const tool = request.tools?.find(
    ({ type, function: called }) =>
      type !== "function" ||
      !/^[\w-]{1,64}$/.test(called.name) ||
      called.parameters["type"] !== "object",
  );
  return tool === undefined ? faultOfTurns(request.messages) : "Invalid schema for a function";
}

const FIELDS = new Set([
  "model",
  "messages",
  "tools",
  "tool_choice",
  "response_format",
  "temperature",
  "max_tokens",
  "max_completion_tokens",
  "stream",
]);

/** Every tool call must be answered by the following messages, and nothing else. */
function faultOfTurns(messages: readonly ChatMessage[]): string | undefined {
  let open = new Set<string>();
  for (const { role, content, tool_calls: calls, tool_call_id: id } of messages) {
    if (!["system", "user", "assistant", "tool"].includes(role))
      return `Invalid value: '${role}' for a role`;
    if (typeof content !== "string" && calls === undefined) return "content must be a string";
    if (role === "tool") {
      if (id === undefined || !open.delete(id))
        return "messages with role 'tool' must be a response to a preceding message with 'tool_calls'";
      continue;
    }
    if (open.size > 0)
      return "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'";
    open = new Set((calls ?? []).map((call) => call.id));
  }
  return undefined;
}

/** The error text of servers that lack a feature. */
function refusalOf(request: ChatRequest, refuses: readonly Refusal[]): string | undefined {
  const format = request.response_format?.type;
  if (refuses.includes("tools") && request.tools !== undefined)
    return `registry.example/${request.model} does not support tools`;
  if (refuses.includes("json_schema") && format === "json_schema")
    return "response_format.type: json_schema is not supported by this model";
  if (refuses.includes("json_object") && format === "json_object")
    return "'response_format.type' must be 'json_schema' or 'text'";
  if (refuses.includes("temperature") && request.temperature !== undefined)
    return "Unsupported value: 'temperature' does not support 0 with this model. Only the default (1) value is supported.";
  if (refuses.includes("max_tokens") && request.max_tokens !== undefined)
    return "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.";
  return undefined;
}

type TextAnswer = Extract<ScriptedAnswer, { text?: string } | { json: unknown }>;

function completion(request: ChatRequest, answer: TextAnswer): unknown {
  const calls = "toolCalls" in answer ? answer.toolCalls : [];
  const content = "json" in answer ? JSON.stringify(answer.json) : (answer.text ?? null);
  const message = {
    role: "assistant",
    content,
    ...(calls.length === 0
      ? {}
      : {
          tool_calls: calls.map(({ name, arguments: given }, at) => ({
            id: `call_${at}`,
            type: "function",
            function: {
              name,
              arguments: typeof given === "string" ? given : JSON.stringify(given),
            },
          })),
        }),
  };
  const finish = "finish" in answer ? answer.finish : undefined;
  const promptTokens = Math.ceil(JSON.stringify(request.messages).length / 4);
  const completionTokens = Math.ceil(JSON.stringify(message).length / 4);
  return {
    id: "chatcmpl-scripted",
    object: "chat.completion",
    created: 0,
    model: request.model,
    choices: [
      { index: 0, message, finish_reason: finish ?? (calls.length > 0 ? "tool_calls" : "stop") },
    ],
    usage: {
      prompt_tokens: promptTokens,
      completion_tokens: completionTokens,
      total_tokens: promptTokens + completionTokens,
    },
  };
}
