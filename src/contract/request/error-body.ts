import { z } from "zod";
import { ERROR_CODES, type ErrorCode } from "./error-codes.ts";

const CODES = Object.keys(ERROR_CODES) as [ErrorCode, ...ErrorCode[]];

/** Body of every error response. */
export const errorBodySchema = z
  .looseObject({
    success: z.literal(false),
    error: z.string().describe("What happened, for people."),
    code: z.enum(CODES).optional().describe("What happened, for programs."),
    details: z.unknown().optional().describe("For BAD_REQUEST the list of issues."),
    agent_hints: z.array(z.string()).optional(),
  })
  .meta({ id: "Error", description: "Why a request failed." });

export type ErrorBody = z.output<typeof errorBodySchema>;
