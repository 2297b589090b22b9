// The seam between this service and any language model: what is asked, what comes back. Providers translate it.
import type { Deadline } from "../deadline.ts";

/** A call the model wants made. `arguments` is undefined where what the model wrote is no JSON object. */
export type ToolCall = {
  readonly id: string;
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>> | undefined;
  /** As the model wrote it. */
  readonly argumentsText: string;
};

export type ModelMessage =
  | { readonly role: "system" | "user"; readonly content: string }
  | {
      readonly role: "assistant";
      readonly content: string;
      readonly toolCalls?: readonly ToolCall[];
    }
  /** The answer to one tool call. */
  | {
      readonly role: "tool";
      readonly toolCallId: string;
      readonly name: string;
      readonly content: string;
    };

export type ModelTool = {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of an object. */
  readonly parameters: Readonly<Record<string, unknown>>;
};

export type ModelRequest = {
  readonly messages: readonly ModelMessage[];
  readonly tools?: readonly ModelTool[];
  /** The answer's text should be JSON of this shape. It is asked for as strictly as the server can; check what comes. */
  readonly jsonSchema?: Readonly<Record<string, unknown>>;
  readonly maxOutputTokens: number;
  readonly temperature?: number;
};

export type ModelUsage = { readonly inputTokens: number; readonly outputTokens: number };

export type ModelAnswer = {
  readonly text: string;
  readonly toolCalls: readonly ToolCall[];
  readonly usage: ModelUsage;
  /** "length": cut off at maxOutputTokens. "refused": the provider's filter or the model declined. */
  readonly finish: "stop" | "length" | "tools" | "refused";
};

export type LanguageModel = {
  /** `provider/model`, for warnings and logs. */
  readonly name: string;
  /**
   * One answer. Throws LimitError SCRAPE_TIMEOUT when the deadline passes, LimitError MODEL_BUSY when the provider keeps
   * refusing for its rate, and TargetError MODEL_FAILED for everything else it answers or breaks off.
   */
  complete(request: ModelRequest, deadline: Deadline): Promise<ModelAnswer>;
};

export type ModelRole = "fast" | "smart";

export type Models = AsyncDisposable & {
  /** The model of a role; undefined where none is configured. */
  role(role: ModelRole): LanguageModel | undefined;
  /** Tokens of a page that go into one call, estimated. */
  readonly inputTokens: number;
  close(): Promise<void>;
};
