// `quarry interact URL`: a page opened live, worked by a prompt or by code, and closed again.
import { readFile } from "node:fs/promises";
import type { Execution } from "../../client/wire.ts";
import type { Config } from "../config.ts";
import { RequestError } from "../errors.ts";
import { connectToJobs, type ServerChoice } from "./connect.ts";
import { onInterrupt } from "./on-interrupt.ts";
import { toPlainLine } from "./terminal-text.ts";
import { EXIT } from "./watch-job.ts";

export type InteractCommandOptions = ServerChoice & {
  readonly prompt?: string;
  readonly code?: string;
  readonly codeFile?: string;
  readonly timeout?: number;
  readonly json?: boolean;
};

type Step = { readonly tool: string; readonly input: unknown; readonly result: string };

export async function interactCommand(
  config: Config,
  url: string,
  options: InteractCommandOptions,
): Promise<void> {
  const task = await taskOf(options);
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
    print(await client.interact(scrapeId, task, { timeout }, { signal }), options);
  } catch (error) {
    if (!signal.aborted) throw error;
    process.exitCode = EXIT.interrupted;
  } finally {
    interrupt.end();
    // Its end is the end of what is at work in it.
    await client.endInteract(scrapeId).catch(() => undefined);
  }
}

async function taskOf(
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
  for (const { tool, input, result } of (execution["steps"] as Step[] | undefined) ?? [])
    process.stderr.write(`> ${tool} ${toPlainLine(`${JSON.stringify(input)} ${result}`)}\n`);
  process.stdout.write(execution.stdout ?? "");
  process.stderr.write(execution.stderr ?? "");
  const said = execution.output ?? execution.result;
  if (said !== undefined && said !== "") process.stdout.write(`${said}\n`);
}
