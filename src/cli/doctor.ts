import { availableParallelism, totalmem } from "node:os";
import { createApp } from "../app.ts";
import { launchConfigured, whyWithoutBrowser } from "../browser/open-pool.ts";
import type { Config } from "../config.ts";
import { createLogger } from "../log.ts";
import { findServer } from "../store/server-file.ts";
import { VERSION } from "../version.ts";
import { findings } from "./findings.ts";
import { insideFetch } from "./connect.ts";
import { tryModels } from "./try-model.ts";

/** `quarry doctor`: what is there, what works, what is missing. Exit code 1 when something needed does not work. */
export async function doctor(config: Config): Promise<void> {
  const say = (line: string): void => void process.stdout.write(`${line}\n`);
  say(`Quarry ${VERSION} on Node ${process.versions.node}, ${process.platform} ${process.arch}`);
  say(
    `  CPUs      ${availableParallelism()}, memory ${Math.round(Math.min(process.constrainedMemory() || Infinity, totalmem()) / 2 ** 20)} MiB`,
  );
  for (const line of findings(config)) say(`  ${line}`);
  say(`  started   ${await tryBrowser(config)}`);
  for (const line of await tryModels(config)) say(`  tried     ${line}`);
  const running = await findServer(config);
  say(
    running === undefined
      ? "  server    none runs on this data folder"
      : `  server    runs as process ${running.pid} on ${running.url}, with the settings it was started with; above are those of here`,
  );
  const failure =
    running === undefined ? await checkInside(config) : await checkRunning(running.url);
  say(failure === undefined ? "Everything that is needed works." : `Not working: ${failure}`);
  if (failure !== undefined) process.exitCode = 1;
}

/** Starts the browser once; what came of it in words. A server works without one, so this is no failure. */
async function tryBrowser(config: Config): Promise<string> {
  const reason = whyWithoutBrowser(config);
  if (reason !== undefined) return `no browser to start. ${reason}`;
  const from = performance.now();
  try {
    const { browser, sandboxed } = await launchConfigured(
      config,
      "http://127.0.0.1:9",
      createLogger("warn"),
    );
    const version = browser.version();
    await browser.close();
    const took = `Chromium ${version} in ${((performance.now() - from) / 1000).toFixed(1)} s`;
    return sandboxed
      ? `${took}, in its sandbox`
      : `${took}. Warning: without its sandbox, which the system does not allow here (root, or no user namespaces)`;
  } catch (error) {
    const [line = ""] = (error instanceof Error ? error.message : String(error)).split("\n");
    return `the browser does not start: ${line}`;
  }
}

async function checkRunning(url: string): Promise<string | undefined> {
  try {
    return await failureOf(
      await fetch(`${url}/v0/health/readiness`, { signal: AbortSignal.timeout(10_000) }),
    );
  } catch (error) {
    return `the server does not answer (${error instanceof Error ? error.message : String(error)})`;
  }
}

/** Builds the service in this process, opens what it needs and asks it whether it is ready. */
async function checkInside(config: Config): Promise<string | undefined> {
  await using app = await createApp(config, { log: createLogger("warn") });
  await app.server.ready();
  try {
    // A new database takes longer to make than a probe waits, on a busy machine.
    await app.openStore();
  } catch (error) {
    return `the store does not open (${error instanceof Error ? error.message : String(error)})`;
  }
  return await failureOf(await insideFetch(app.server)("http://localhost/v0/health/readiness", {}));
}

async function failureOf(response: Response): Promise<string | undefined> {
  const answer = (await response.json()) as { status?: string; error?: string };
  return answer.status === "ok" ? undefined : (answer.error ?? `status ${response.status}`);
}
