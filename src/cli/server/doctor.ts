import type { Config } from "../../config.ts";
import type { Diagnosis } from "../../diagnosis/diagnose.ts";
import { findServer, type ServerFile } from "../../store/database/server-file.ts";
import { askAdmin } from "./ask-admin.ts";
import { EXIT } from "../terminal/exit-codes.ts";
import { formatPlural } from "../jobs/progress.ts";
import { withSpinner } from "../terminal/spinner.ts";

/** The threads start during the check, which takes several seconds on a busy machine. */
const CHECK_TIMEOUT_MS = 30_000;

type Report = Diagnosis & {
  /** The server that answered; null when this shell's settings were checked. */
  readonly server: { readonly pid: number; readonly url: string } | null;
};

/**
 * `quarry doctor`: reports the configuration, what was tested, and what does not work. The running
 * server answers for itself; without one, this shell's settings are checked. Exit code 1 when there
 * is a problem.
 */
export async function runDoctor(
  config: Config,
  { json }: { readonly json?: boolean },
): Promise<void> {
  const running = await findServer(config);
  const report = await withSpinner(process.stderr, "Checking the installation", async () =>
    running === undefined ? await checkHere(config) : await checkServer(running),
  );
  if (report.problems.length > 0) process.exitCode = EXIT.failed;
  if (json === true) process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
  else for (const line of describeReport(report)) process.stdout.write(`${line}\n`);
}

/** The report as lines for people; the last one is a summary. */
export function describeReport(report: Report): string[] {
  const { version, node, platform, cpus, memoryMiB, findings, tried, problems, server } = report;
  return [
    `Quarry ${version} on Node ${node}, ${platform}`,
    server === null
      ? "  server    none runs on this data folder; checked with the settings of this shell"
      : `  server    process ${server.pid} on ${server.url}, which answered for itself`,
    `  machine   ${formatPlural(cpus, "CPU")}, ${memoryMiB} MiB of memory`,
    ...findings.map((line) => `  ${line}`),
    ...tried.map((line) => `  tried     ${line}`),
    ...(problems.length === 0
      ? ["No problems found."]
      : [`${formatPlural(problems.length, "problem")}:`, ...problems.map((line) => `  - ${line}`)]),
  ];
}

async function checkServer(running: ServerFile): Promise<Report> {
  const ask = askAdmin((url, init) => fetch(url, init), running.url, running.adminToken);
  const diagnosis = (await ask("GET", "/admin/diagnosis")) as Diagnosis;
  return { ...diagnosis, server: { pid: running.pid, url: running.url } };
}

/** Builds the service in this process, opens its store and checks it. */
async function checkHere(config: Config): Promise<Report> {
  // Loaded only here, so that a command to a running server starts fast.
  const { createApp } = await import("../../app.ts");
  const { diagnose } = await import("../../diagnosis/diagnose.ts");
  const { createLogger } = await import("../../logger.ts");
  const diagnosis = await diagnose(config);
  const problems: string[] = [];
  await using app = await createApp(config, { log: createLogger("warn") });
  await app.server.ready();
  try {
    await app.openStore();
    problems.push(
      ...(await app.check(CHECK_TIMEOUT_MS)).map(({ name, reason }) => `${name}: ${reason}`),
    );
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    problems.push(`the store does not open: ${reason}`);
  }
  return { ...diagnosis, problems: [...problems, ...diagnosis.problems], server: null };
}
