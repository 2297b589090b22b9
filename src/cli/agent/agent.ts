// `quarry agent "…"`: shows the steps and cost of a run as they happen and prints its data on
// standard output.
import { writeFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import type { AgentParameters, AgentRun } from "../../../client/agents.ts";
import type { AgentEvents, AgentState } from "../../../client/wire.ts";
import type { Config } from "../../config.ts";
import { connectToJobs, type ServerChoice } from "../connect.ts";
import { onInterrupt } from "../terminal/on-interrupt.ts";
import { isEmptyData } from "../pages/judge-document.ts";
import { readSchema } from "../pages/page-tasks.ts";
import { reportFailure, type Failure } from "../terminal/report-failure.ts";
import { clip, toPlainLine } from "../terminal/terminal-text.ts";
import { EXIT, getExitCode } from "../terminal/exit-codes.ts";

export type AgentCommandOptions = ServerChoice & {
  readonly url?: readonly string[];
  readonly schema?: string;
  readonly maxCredits?: number;
  readonly strict?: boolean;
  readonly model?: string;
  readonly effort?: string;
  readonly json?: boolean;
  readonly out?: string;
};

const POLL_MS = 400;
const MAX_COLUMNS = 110;

const printLine = (line: string): void => void process.stderr.write(`${line}\n`);

export async function runAgentCommand(
  config: Config,
  prompt: string,
  options: AgentCommandOptions,
): Promise<void> {
  const schema = options.schema === undefined ? undefined : readSchema(options.schema);
  await using connection = await connectToJobs(config, options);
  const run = await connection.client.agents.start(prompt, {
    ...(options.url === undefined ? {} : { urls: [...options.url] }),
    ...(schema === undefined ? {} : { schema }),
    ...(options.maxCredits === undefined ? {} : { maxCredits: options.maxCredits }),
    ...(options.strict === true ? { strictConstrainToURLs: true } : {}),
    ...(options.model === undefined ? {} : { model: options.model }),
    ...(options.effort === undefined ? {} : { effort: options.effort }),
    integration: "cli",
  } as AgentParameters);
  const stopping = onInterrupt(() => {
    printLine("Stopping; what was found so far is kept.");
    run
      .cancel()
      .catch((error: unknown) => printLine(`The run could not be stopped: ${String(error)}`));
  });
  try {
    const state = await follow(run);
    await print(state, options);
    const failure = judgeRun(state);
    if (stopping.wasAsked()) process.exitCode = EXIT.interrupted;
    else if (failure !== undefined) reportFailure(failure, options.json === true);
  } finally {
    stopping.end();
  }
}

/** Shows the events until the end. */
async function follow(run: AgentRun): Promise<AgentState> {
  let seen = 0;
  let cost = 0;
  for (;;) {
    // Read the state first: events before its end are then in the trace.
    const state = await run.state();
    const events = await run.trace();
    for (const event of events.slice(seen)) {
      const line = describe(event);
      if (line !== undefined) printLine(clip(toPlainLine(line), MAX_COLUMNS));
    }
    seen = events.length;
    const { creditsUsed = 0 } = state;
    if (state.status === "processing" && creditsUsed !== cost)
      printLine(`  ${creditsUsed} credits so far`);
    cost = creditsUsed;
    if (state.status !== "processing") return state;
    await sleep(POLL_MS);
  }
}

/** Returns one line for events worth showing; undefined for others. */
function describe(event: AgentEvents[number]): string | undefined {
  switch (event.type) {
    case "tool_call.started":
      return `> ${event.toolName} ${describeParameters(event.parameters)}`;
    case "tool_call.finished":
      return `  ${event.toolName} ${describeResult(event.result)}`;
    case "reasoning.summary":
      return `  ${event.text}`;
    default:
      return undefined;
  }
}

type ShownRun = {
  readonly url?: string;
  readonly reason?: string;
  readonly error?: string;
  readonly title?: string;
  readonly statusCode?: number;
  readonly creditsUsed?: number;
};

function describeParameters(parameters: unknown): string {
  const { url, reason, ...rest } = (parameters ?? {}) as ShownRun;
  const others = Object.keys(rest).length === 0 ? undefined : JSON.stringify(rest);
  const why = reason === undefined ? undefined : `(${reason})`;
  return [url, why, others].filter((part) => part !== undefined).join(" ");
}

function describeResult(result: unknown): string {
  const { error, title, statusCode, creditsUsed } = (result ?? {}) as ShownRun;
  if (error !== undefined) return `failed: ${error}`;
  const cost = creditsUsed === undefined ? undefined : `${creditsUsed} credits`;
  return [statusCode, title, cost].filter((part) => part !== undefined && part !== "").join(" ");
}

/** Undefined for a run that found something. */
function judgeRun({ status, stopReason, error, code, data }: AgentState): Failure | undefined {
  if (status !== "completed") {
    const message = `The agent stopped${stopReason === undefined ? "" : ` (${stopReason})`}: ${toPlainLine(error ?? "no reason was given.")}`;
    return { code: code ?? "AGENT_STOPPED", message, exitCode: getExitCode(code) };
  }
  if (!isEmptyData(data)) return undefined;
  const message =
    "The agent found nothing that matches the prompt. Name a page that leads to it with --url, or rephrase the prompt.";
  return { code: "nothing_found", message, exitCode: EXIT.target };
}

async function print(state: AgentState, options: AgentCommandOptions): Promise<void> {
  const found = state.status === "completed" ? state.data : state.partial;
  if (state.message !== undefined) printLine(toPlainLine(state.message));
  if (state.warning !== undefined) printLine(`warning: ${toPlainLine(state.warning)}`);
  printLine(`${state.creditsUsed ?? 0} credits.`);
  const shown = options.json === true ? state : found;
  if (shown === undefined) return;
  const text = `${JSON.stringify(shown, null, 2)}\n`;
  if (options.out === undefined) process.stdout.write(text);
  else await writeFile(options.out, text);
}
