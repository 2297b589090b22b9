import type { AgentRunRecord } from "../store/agent/agent-runs.ts";
import type { KeptRun } from "./run.ts";

const MAX_CHARACTERS = 100;

/** In a few words what a run is about: where it starts, else what it is asked. */
export function hintOf({ options }: Pick<AgentRunRecord, "options">): string {
  const { urls, prompt } = options as KeptRun;
  const [first] = urls ?? [];
  return first ?? prompt.slice(0, MAX_CHARACTERS);
}
