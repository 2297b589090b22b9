import type {
  CallToolResult,
  McpServer,
  ServerContext,
  ToolAnnotations,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import type { QuarryClient } from "../../client/client.ts";
import { BUDGET, fitAnswer, toFailure, type Content } from "./answer.ts";
import { TASKS_EXTENSION, toTaskFields, type TaskReference } from "./task-id.ts";

export type ToolContext = {
  readonly client: QuarryClient;
  /** Aborts when the caller cancels. */
  readonly signal: AbortSignal;
  /** Undefined if the caller requested no progress. */
  readonly report?: ((progress: Progress) => Promise<void>) | undefined;
  /** True if the caller reads a long call as a task. */
  readonly takesTask?: boolean;
};

export type Progress = {
  readonly done: number;
  readonly total?: number;
  /** Never contains page text. */
  readonly message: string;
};

/** Builds the answer within a token budget for page text. */
export type AnswerWriter = (textTokens: number) => Content;

/** A job that continues as a task, with its state so far. */
export type Started = {
  readonly task: Omit<TaskReference, "maxTokens">;
  readonly write: AnswerWriter;
};

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
  readonly run: (input: z.output<Input>, calling: ToolContext) => Promise<AnswerWriter | Started>;
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
            const given = input as unknown as z.output<Input> & { readonly maxTokens: number };
            const { maxTokens } = given;
            const done = await run(given, toToolContext(context, client));
            if (typeof done === "function") return fitAnswer(maxTokens, done);
            const fields = toTaskFields({ ...done.task, maxTokens }, { createdAt: new Date() });
            const state = fitAnswer(maxTokens, done.write);
            return { ...state, ...fields, resultType: "task", status: "working" };
          } catch (error) {
            return toFailure(error);
          }
        },
      );
    },
  };
}

/** Clients state their extensions in each request (2026-07-28). */
const taskEnvelope = z.object({
  "io.modelcontextprotocol/clientCapabilities": z.object({
    extensions: z.object({ [TASKS_EXTENSION]: z.looseObject({}) }),
  }),
});

/** True if the client of a request declares the tasks extension. */
export const takesTasks = ({ envelope }: Pick<ServerContext["mcpReq"], "envelope">): boolean =>
  taskEnvelope.safeParse(envelope).success;

function toToolContext({ mcpReq }: ServerContext, client: QuarryClient): ToolContext {
  const progressToken = mcpReq._meta?.progressToken;
  return {
    client,
    signal: mcpReq.signal,
    takesTask: takesTasks(mcpReq),
    report:
      progressToken === undefined
        ? undefined
        : async ({ done, total, message }) =>
            await mcpReq.notify({
              method: "notifications/progress",
              params: {
                progressToken,
                progress: done,
                message,
                ...(total === undefined ? {} : { total }),
              },
            }),
  };
}
