import type { AgentRunRecord } from "../store/agent/agent-runs.ts";
import type { Fence } from "./fence.ts";
import type { Journal } from "./journal.ts";
import type { Answer } from "./run.ts";

/** One run at work, whichever way it goes. */
export type RunWork = {
  readonly run: AgentRunRecord;
  readonly journal: Journal;
  /** Where it begins; may be empty where a model can search. */
  readonly starts: readonly string[];
  readonly fence: Fence;
  /** Keeps what was found so far. */
  readonly tell: (answer: Answer) => Promise<void>;
};
