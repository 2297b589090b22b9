import { z } from "zod";
import { ERROR_CODES, type ErrorCode } from "./error-codes.ts";

const CODES = Object.keys(ERROR_CODES) as [ErrorCode, ...ErrorCode[]];

/** Body of every answer that is not a success. */
export const errorBodySchema = z
  .looseObject({
    success: z.literal(false),
    error: z.string().describe("What happened, for a human."),
    code: z.enum(CODES).optional().describe("What happened, for a program."),
    details: z.unknown().optional().describe("For BAD_REQUEST the list of issues."),
    agent_hints: z.array(z.string()).optional(),
  })
  .meta({ id: "Error", description: "Why a request failed." });

export type ErrorBody = z.output<typeof errorBodySchema>;
