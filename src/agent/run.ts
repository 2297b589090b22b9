// The input and output of an agent run, whether led by rules or a model.
import type { AgentOptions } from "../contract/jobs/agent.ts";
import { omitGrants, type Grants } from "../jobs/caller.ts";
import { buildJobRequest, type JobRequest } from "../jobs/job-request.ts";
import type { JobRecord } from "../store/jobs/job-record.ts";

/** The source of a value. */
export type Source = {
  readonly url: string;
  /** The words on the page that state it. */
  readonly text?: string;
  /** Their place in the page's Markdown, in characters. */
  readonly start?: number;
  readonly end?: number;
};

/** Data found so far, or the final data. */
export type Answer = {
  readonly value: unknown;
  /** By JSON pointer (RFC 6901) into the value. */
  readonly sources: Readonly<Record<string, readonly Source[]>>;
  /** JSON pointers of requested values that no page stated. */
  readonly unfilled: readonly string[];
  /** True if the value fits the schema; true without one. */
  readonly valid: boolean;
};

export type Finding = {
  readonly answer: Answer;
  readonly warnings: readonly string[];
  /** A message for people. */
  readonly message?: string;
  /** The model declined to do it. */
  readonly refused?: boolean;
  /**
   * The model ended without an answer, or with an empty one; the answer is the data found before.
   */
  readonly failure?: {
    readonly code: "AGENT_NO_ANSWER" | "AGENT_EMPTY_ANSWER";
    readonly message: string;
  };
  /** Why rules cannot answer the request: the message of the failed run. */
  readonly needsModel?: string;
};

/** The validated options stored with the run. */
export type StoredRun = Omit<AgentOptions, "webhook"> &
  Grants & {
    /** `maxCredits` of the request; more than the stored one where credits covered less. */
    readonly requestedCredits?: number;
    /** Earlier turns of the conversation, oldest first. */
    readonly history?: readonly { readonly prompt: string; readonly data?: unknown }[];
  };

/** Returns the request that started the run; `turn` is its place in the conversation, from 1. */
export function buildRunRequest({ options, webhook }: JobRecord, turn: number): JobRequest {
  const {
    history: _,
    urls,
    threadId,
    requestedCredits,
    ...fields
  } = omitGrants(options as StoredRun);
  return buildJobRequest({
    fields: {
      ...fields,
      maxCredits: requestedCredits ?? fields.maxCredits,
      // The first run of a conversation did not continue one.
      ...(turn > 1 && { threadId }),
    },
    urls,
    webhook,
  });
}

/** Limits of a run without a model: pages read, and consecutive pages without gain. */
export type Effort = {
  readonly pages: number;
  readonly fruitless: number;
  readonly parallel: number;
  /** Maximum calls of the model. */
  readonly turns: number;
  readonly minutes: number;
};

export const EFFORTS: Readonly<Record<"low" | "medium" | "high", Effort>> = {
  low: { pages: 25, fruitless: 6, parallel: 2, turns: 12, minutes: 10 },
  medium: { pages: 120, fruitless: 15, parallel: 4, turns: 30, minutes: 30 },
  high: { pages: 500, fruitless: 40, parallel: 4, turns: 80, minutes: 120 },
};
