// Runs a job from the command line: display, output, Ctrl-C, summary and exit code; the same for
// crawls and batches.
import { setTimeout as sleep } from "node:timers/promises";
import type { Job } from "../../../client/job.ts";
import type { Document, JobState } from "../../../client/wire.ts";
import {
  createEventDisplay,
  createPlainDisplay,
  createTerminalDisplay,
  type Display,
} from "../terminal/display.ts";
import { EXIT, getExitCode, type ExitCode } from "../terminal/exit-codes.ts";
import { follow, type FollowResult } from "./follow.ts";
import { quote, type Hint } from "../terminal/hint.ts";
import { askInterruptChoice } from "./interrupt.ts";
import { openOutput } from "./open-output.ts";
import { readAddress, type Output } from "./output.ts";
import { createPainter, formatPlural, type Paint } from "./progress.ts";
import { renderErrors, renderState, renderSums, renderWarnings } from "./summary.ts";

export type WatchOptions = {
  readonly out?: string;
  readonly json?: boolean;
};

export type WatchedJob = {
  readonly noun: "crawl" | "batch";
  readonly title: string;
  readonly job: Job;
  /**
   * The service runs in this process: when the command ends, so does the work until it is resumed.
   */
  readonly isOwn: boolean;
  readonly hint: Hint;
};

const PLAIN_MS = 5_000;
const EVENT_MS = 1_000;

const emit = (event: object): void => void process.stdout.write(`${JSON.stringify(event)}\n`);
const toStderr = (line: string): void => void process.stderr.write(`${line}\n`);

/** Follows the job until it ends or the user leaves; sets the exit code. */
export async function watchJob(watched: WatchedJob, options: WatchOptions): Promise<void> {
  const { job, noun, hint } = watched;
  const paint = createPainter(process.stderr);
  const readFirst = async (): Promise<Document | undefined> =>
    (await job.status({ skip: 0, limit: 1 })).data[0];
  const output = await openOutput(options.out, { id: job.id, first: readFirst });
  const display = chooseDisplay(options.json === true, paint);
  const leaving = new AbortController();
  const interruption = listenForInterrupt(watched, display, leaving);
  try {
    const followed = await follow({
      job,
      title: watched.title,
      display: interruption.display,
      output,
      onDocument: options.json === true ? emitPage : undefined,
      onWarning:
        options.json === true
          ? ({ warning }) => emit({ event: "warning", warning })
          : (state) => {
              for (const line of renderWarnings(state, paint, noun, hint)) display.say(line);
            },
      signal: leaving.signal,
      clock: {
        now: () => Date.now(),
        sleep: (ms, signal) => sleep(ms, undefined, { signal }),
      },
    });
    display.close();
    if (leaving.signal.aborted) reportDetached(watched, options);
    else if (options.json === true) emitEnd(job.id, followed, output);
    else await reportEnd(watched, followed, output, paint);
    process.exitCode =
      leaving.signal.aborted || interruption.isCancelled()
        ? EXIT.interrupted
        : await judge(job, followed);
  } catch (error) {
    display.close();
    toStderr(explainResuming(noun, job.id, options, hint));
    throw error;
  } finally {
    interruption.stop();
    display.close();
    await output?.close();
  }
}

function chooseDisplay(asEvents: boolean, paint: Paint): Display {
  const now = (): number => Date.now();
  if (asEvents) return createEventDisplay(emit, EVENT_MS, now);
  return process.stderr.isTTY
    ? createTerminalDisplay(process.stderr, paint)
    : createPlainDisplay(toStderr, PLAIN_MS, now);
}

/** A completed job without any page is a success for the server but not for the user. */
async function judge(job: Job, { state, sums }: FollowResult): Promise<ExitCode> {
  if (state?.status === "failed") return getExitCode(state.code);
  if (state?.status !== "completed") return EXIT.failed;
  if (state.completed > 0) return EXIT.content;
  if ((sums.error ?? 0) === 0) return EXIT.target;
  // Pages that all hit a limit, such as the page timeout, did not fail because of their sites.
  const { errors } = await job.errors();
  return errors.every(({ code }) => getExitCode(code) === EXIT.limit) ? EXIT.limit : EXIT.target;
}

type Interruption = {
  /** Shows no progress while the user answers a prompt. */
  readonly display: Display;
  readonly isCancelled: () => boolean;
  readonly stop: () => void;
};

function listenForInterrupt(
  { job, noun }: WatchedJob,
  display: Display,
  leaving: AbortController,
): Interruption {
  let asking = false;
  let cancelled = false;
  const onInterrupt = (): void => {
    if (asking || !process.stderr.isTTY) {
      leaving.abort();
      return;
    }
    asking = true;
    display.clear();
    void askInterruptChoice(noun)
      .then(async (wish) => {
        if (wish === "leave") leaving.abort();
        if (wish !== "cancel") return;
        cancelled = true;
        await job.cancel();
      })
      .catch((error: unknown) => {
        cancelled = false;
        toStderr(`The ${noun} could not be cancelled: ${String(error)}`);
      })
      .finally(() => (asking = false));
  };
  const onTerminate = (): void => leaving.abort();
  process.on("SIGINT", onInterrupt);
  process.on("SIGTERM", onTerminate);
  process.on("SIGHUP", onTerminate);
  return {
    display: { ...display, update: (progress) => asking || display.update(progress) },
    isCancelled: () => cancelled,
    stop() {
      process.off("SIGINT", onInterrupt);
      process.off("SIGTERM", onTerminate);
      process.off("SIGHUP", onTerminate);
    },
  };
}

function emitPage(document: Document, file: string | undefined): void {
  const { statusCode, title } = document.metadata;
  const url = readAddress(document);
  emit({ event: "page", url, statusCode, title, ...(file === undefined ? {} : { file }) });
}

function emitEnd(id: string, followed: FollowResult, output: Output | undefined): void {
  const { state, sums, written, restored } = followed;
  const { status, completed, creditsUsed, duration, warning, error, code } =
    state ?? ({} as JobState);
  emit({
    event: "ended",
    id,
    status,
    completed,
    fates: sums,
    creditsUsed,
    durationSeconds: duration,
    warning,
    error,
    code,
    ...(output === undefined ? {} : { out: output.where, written, restored }),
  });
}

async function reportEnd(
  { job, noun, hint }: WatchedJob,
  { state, sums, written, restored, errorPages }: FollowResult,
  output: Output | undefined,
  paint: Paint,
): Promise<void> {
  if (state === undefined) return;
  const lines = [
    renderState(state, paint),
    ...renderSums(sums),
    ...(errorPages === 0
      ? []
      : [
          `${formatPlural(errorPages, "page")} answered with an error status, such as 404; the results hold their error pages.`,
        ]),
    ...((sums.error ?? 0) === 0 ? [] : renderErrors(await job.errors(), noun, job.id, hint)),
    ...renderWarnings(state, paint, noun, hint),
    ...(output === undefined
      ? explainReading(noun, job.id, state, hint)
      : [
          `${formatPlural(written, "page")} written to ${output.where}${describeRestored(restored)}${output.where.endsWith("ndjson") ? "" : describeIndex(output)}.`,
        ]),
    `The fate of each URL: ${hint(`${noun} ledger ${job.id}`)}`,
  ];
  for (const line of lines) toStderr(line);
}

function explainReading(
  noun: string,
  id: string,
  { completed, expiresAt }: JobState,
  hint: Hint,
): string[] {
  if (completed === 0) return [];
  const until = expiresAt.slice(0, 16).replace("T", " ");
  return [`Results: ${hint(`${noun} ${id} --out results`)} writes them (until ${until} UTC).`];
}

const describeIndex = ({ where }: Output): string =>
  where === "standard output" ? "" : "; index.ndjson there lists them";

const describeRestored = (restored: number): string =>
  restored === 0
    ? ""
    : `, ${restored.toLocaleString("en")} of them again because ${restored === 1 ? "it was" : "they were"} missing`;

const describeOutput = ({ out }: WatchOptions): string =>
  out === undefined ? "" : ` --out ${quote(out)}`;

const explainResuming = (noun: string, id: string, options: WatchOptions, hint: Hint): string =>
  `Continue with  ${hint(`${noun} ${id}${describeOutput(options)}`)}`;

function reportDetached({ noun, job, isOwn, hint }: WatchedJob, options: WatchOptions): void {
  if (options.json === true) emit({ event: "left", id: job.id });
  toStderr(
    isOwn
      ? `The ${noun} is stored, and paused until a server or this command runs on the data folder.`
      : `The ${noun} continues on the server.`,
  );
  toStderr(explainResuming(noun, job.id, options, hint));
  toStderr(`Cancel it with ${hint(`${noun} cancel ${job.id}`)}`);
}
