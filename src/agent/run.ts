// What a run of the agent is given and what it brings back, whichever way it works.
import type { AgentOptions } from "../contract/jobs/agent.ts";

/** Where a value comes from. */
export type Source = {
  readonly url: string;
  /** The words on the page that say so. */
  readonly text?: string;
  /** Their place in the page's Markdown, in characters. */
  readonly start?: number;
  readonly end?: number;
};

/** What was found, so far or in the end. */
export type Answer = {
  readonly value: unknown;
  /** By JSON pointer (RFC 6901) into the value. */
  readonly sources: Readonly<Record<string, readonly Source[]>>;
  /** JSON pointers of what the schema asks for and no page said. */
  readonly unfilled: readonly string[];
  /** Does the value fit the schema? True without one. */
  readonly valid: boolean;
};

export type Finding = {
  readonly answer: Answer;
  readonly warnings: readonly string[];
  /** In words, for people. */
  readonly message?: string;
  /** The model declined to do it. */
  readonly refused?: boolean;
};

/** The checked options as they are kept with the run. */
export type KeptRun = Omit<AgentOptions, "webhook" | "maxCredits"> & {
  readonly keyConcurrency: number | null;
  readonly accountConcurrency?: number | null;
  /** Hosts that the key may fetch; any when missing. */
  readonly allowHosts?: readonly string[];
  /** Earlier turns of the conversation, oldest first. */
  readonly history?: readonly { readonly prompt: string; readonly data?: unknown }[];
};

/** How much is done by itself: pages read, and pages in a row that bring nothing. */
export type Effort = {
  readonly pages: number;
  readonly fruitless: number;
  readonly parallel: number;
  /** Calls of the model. */
  readonly turns: number;
  readonly minutes: number;
};

export const EFFORTS: Readonly<Record<"low" | "medium" | "high", Effort>> = {
  low: { pages: 25, fruitless: 6, parallel: 2, turns: 12, minutes: 10 },
  medium: { pages: 120, fruitless: 15, parallel: 4, turns: 30, minutes: 30 },
  high: { pages: 500, fruitless: 40, parallel: 4, turns: 80, minutes: 120 },
};
