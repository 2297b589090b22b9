// `quarry interact URL`: opens a live page, runs a prompt or code on it, and closes it.
import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import type { AgentEvents, Execution } from "../../../client/wire.ts";
import type { Config } from "../../config.ts";
import { RequestError } from "../../errors.ts";
import { connectToJobs, type ServerChoice } from "../connect.ts";
import { onInterrupt } from "../terminal/on-interrupt.ts";
import { toPlainLine } from "../terminal/terminal-text.ts";
import { EXIT } from "../terminal/exit-codes.ts";

export type InteractCommandOptions = ServerChoice & {
  readonly prompt?: string;
  readonly code?: string;
  readonly codeFile?: string;
  readonly timeout?: number;
  readonly json?: boolean;
};

const POLL_MS = 400;

export async function runInteractCommand(
  config: Config,
  url: string,
  options: InteractCommandOptions,
): Promise<void> {
  const task = await readTask(options);
  await using connection = await connectToJobs(config, options);
  const { client } = connection;
  const page = await client.scrape(url, { formats: ["links"], integration: "cli" });
  const scrapeId = String(page.metadata.scrapeId);
  const stopping = new AbortController();
  const { signal } = stopping;
  const interrupt = onInterrupt(() => {
    process.stderr.write("Stopping; the page is closed.\n");
    stopping.abort();
  });
  try {
    const timeout = options.timeout ?? 120;
    const execution = client.interact(scrapeId, task, { timeout }, { signal });
    if (typeof task !== "string" && options.json !== true)
      await followSteps(() => client.interactTrace(scrapeId, { signal }), execution);
    print(await execution, options);
  } catch (error) {
    if (!signal.aborted) throw error;
    process.exitCode = EXIT.interrupted;
  } finally {
    interrupt.end();
    // Ending the session also ends running work.
    await client.endInteract(scrapeId).catch(() => undefined);
  }
}

/** Shows each step after it was taken until `work` settles; the caller handles its errors. */
async function followSteps(
  readTrace: () => Promise<AgentEvents>,
  work: Promise<unknown>,
): Promise<void> {
  const over = work.then(
    () => true,
    () => true,
  );
  const calls = new Map<string, unknown>();
  let seen = 0;
  for (let isOver = false; !isOver;) {
    isOver = await Promise.race([over, sleep(POLL_MS, false)]);
    // The trace does not exist before the session opens; a failed read is repeated by the next.
    const events = await readTrace().catch((): AgentEvents => []);
    for (const event of events.slice(seen)) {
      if (event.type === "tool_call.started") calls.set(event.toolCallId, event.parameters);
      if (event.type !== "tool_call.finished") continue;
      const { text = "" } = (event.result ?? {}) as { readonly text?: string };
      const input = JSON.stringify(calls.get(event.toolCallId) ?? {});
      process.stderr.write(`> ${event.toolName} ${toPlainLine(`${input} ${text}`)}\n`);
    }
    seen = Math.max(seen, events.length);
  }
}

async function readTask(
  options: InteractCommandOptions,
): Promise<string | { readonly prompt: string }> {
  const { prompt, code, codeFile } = options;
  if (prompt !== undefined) return { prompt };
  if (code !== undefined) return code;
  if (codeFile !== undefined) return await readFile(codeFile, "utf8");
  throw new RequestError("BAD_REQUEST", "Say what to do with --prompt, --code or --code-file.");
}

function print(execution: Execution, { json }: InteractCommandOptions): void {
  process.exitCode = execution.success ? 0 : 1;
  if (json === true) {
    process.stdout.write(`${JSON.stringify(execution, null, 2)}\n`);
    return;
  }
  process.stdout.write(execution.stdout ?? "");
  process.stderr.write(execution.stderr ?? "");
  const said = execution.output ?? execution.result;
  if (said !== undefined && said !== "") process.stdout.write(`${said}\n`);
}
