import type { CallToolResult, McpServer, ToolAnnotations } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { QuarryClient } from "../../client/client.ts";
import { BUDGET, fitAnswer, toFailure, type Content } from "./answer.ts";

export type ToolContext = {
  readonly client: QuarryClient;
  /** Aborts when the caller cancels. */
  readonly signal: AbortSignal;
};

/** Builds the answer within a token budget for page text. */
export type AnswerWriter = (textTokens: number) => Content;

export type Tool = {
  readonly name: string;
  readonly isReadOnly: boolean;
  register(server: McpServer, client: QuarryClient): void;
};

export const maxTokensField = z
  .int()
  .min(BUDGET.min)
  .max(BUDGET.max)
  .default(BUDGET.default)
  .describe("Maximum tokens of the answer.");

type Definition<Input extends z.ZodObject, Output extends z.ZodObject> = {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: Input;
  readonly output: Output;
  readonly annotations: ToolAnnotations & { readonly readOnlyHint: boolean };
  /** Does the work and returns how to build the answer. */
  readonly run: (input: z.output<Input>, calling: ToolContext) => Promise<AnswerWriter>;
};

/**
 * Defines a tool whose answers keep the token budget, with errors as answers that suggest what to
 * try.
 */
export function defineTool<Input extends z.ZodObject, Output extends z.ZodObject>(
  definition: Definition<Input, Output>,
): Tool {
  const { name, title, description, output, annotations, run } = definition;
  const inputSchema = definition.input.extend({ maxTokens: maxTokensField });
  return {
    name,
    isReadOnly: annotations.readOnlyHint,
    register(server, client) {
      server.registerTool(
        name,
        { title, description, inputSchema, outputSchema: output, annotations },
        async (input, context): Promise<CallToolResult> => {
          try {
            const { signal } = context.mcpReq;
            const given = input as unknown as z.output<Input> & { readonly maxTokens: number };
            return fitAnswer(given.maxTokens, await run(given, { client, signal }));
          } catch (error) {
            return toFailure(error);
          }
        },
      );
    },
  };
}
