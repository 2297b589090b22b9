// An in-process language model that answers from a script by the length of the conversation, so
// that every process resuming a run gets the same answers.
import type { LanguageModel, ModelAnswer, ModelRequest, ToolCall } from "../src/models/model.ts";

export type ScriptedCall = { readonly name: string; readonly arguments: object };

export type CountingModel = LanguageModel & {
  /** Number of requests by turn. */
  readonly asks: number[];
};

/** The nth answer makes the nth calls; after the last there is only text. */
export function createScriptedModel(
  turns: readonly (
    | readonly ScriptedCall[]
    | ((request: ModelRequest) => readonly ScriptedCall[])
  )[],
): CountingModel {
  const asks: number[] = [];
  return {
    name: "scripted/model",
    asks,
    async complete(request): Promise<ModelAnswer> {
      const turn = request.messages.filter(({ role }) => role === "assistant").length;
      asks[turn] = (asks[turn] ?? 0) + 1;
      const scripted = turns[turn] ?? [];
      const calls = typeof scripted === "function" ? scripted(request) : scripted;
      const toolCalls = calls.map((call, index): ToolCall => ({
        id: `call-${turn}-${index}`,
        name: call.name,
        arguments: call.arguments as Record<string, unknown>,
        argumentsText: JSON.stringify(call.arguments),
      }));
      const usage = { inputTokens: 900, outputTokens: 100 };
      return { text: "", toolCalls, usage, finish: toolCalls.length > 0 ? "tools" : "stop" };
    },
  };
}
