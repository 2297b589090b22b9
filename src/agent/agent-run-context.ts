import type { JobRecord } from "../store/jobs/job-record.ts";
import type { RunScope } from "./pages/run-scope.ts";
import type { Journal } from "./journal.ts";
import type { Answer } from "./run.ts";

/** Input of a run: its job's stored fields. */
export type RunInput = Pick<JobRecord, "id" | "accountId" | "keyId" | "options" | "createdAt"> & {
  readonly maxCredits: number;
};

/** The context of a run, whether led by rules or a model. */
export type AgentRunContext = {
  readonly run: RunInput;
  readonly journal: Journal;
  /** Start URLs; may be empty if a model can search. */
  readonly starts: readonly string[];
  readonly scope: RunScope;
  /** Stores the data found so far. */
  readonly tell: (answer: Answer) => Promise<void>;
};
