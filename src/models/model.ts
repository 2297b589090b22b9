// Interface between this service and any language model. Providers translate it.
import type { Deadline } from "../deadline.ts";

/**
 * A tool call requested by the model. `arguments` is undefined if the model wrote no JSON object.
 */
export type ToolCall = {
  readonly id: string;
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>> | undefined;
  /** As written by the model. */
  readonly argumentsText: string;
};

export type ModelMessage =
  | { readonly role: "system" | "user"; readonly content: string }
  | {
      readonly role: "assistant";
      readonly content: string;
      readonly toolCalls?: readonly ToolCall[];
    }
  /** Result of one tool call. */
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
  /**
   * The answer's text should be JSON of this shape. It is requested as strictly as the server
   * supports; validate the result.
   */
  readonly jsonSchema?: Readonly<Record<string, unknown>>;
  readonly maxOutputTokens: number;
  readonly temperature?: number;
};

export type ModelUsage = { readonly inputTokens: number; readonly outputTokens: number };

export type ModelAnswer = {
  readonly text: string;
  /** Thoughts that the server returns beside the text. Some models write their answer there. */
  readonly reasoning?: string;
  readonly toolCalls: readonly ToolCall[];
  readonly usage: ModelUsage;
  /**
   * "length": cut off at maxOutputTokens. "refused": the provider's filter or the model declined.
   */
  readonly finish: "stop" | "length" | "tools" | "refused";
};

export type LanguageModel = {
  /** `provider/model`, for warnings and logs. */
  readonly name: string;
  /**
   * Returns one answer. Throws LimitError SCRAPE_TIMEOUT at the deadline, LimitError MODEL_BUSY if
   * the provider keeps rate limiting, and TargetError MODEL_FAILED for any other failure.
   */
  complete(request: ModelRequest, deadline: Deadline): Promise<ModelAnswer>;
};

export type ModelRole = "fast" | "smart";

export type Models = AsyncDisposable & {
  /** Returns the model of a role, or undefined if none is configured. */
  role(role: ModelRole): LanguageModel | undefined;
  /** Estimated tokens of a page per call. */
  readonly inputTokens: number;
  close(): Promise<void>;
};
