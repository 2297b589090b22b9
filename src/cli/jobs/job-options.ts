import { RequestError } from "../../errors.ts";
import type { ServerChoice } from "../connect.ts";
import { watchJob, type WatchedJob } from "./watch-job.ts";

/** Options of both `crawl` and `batch`. */
export type JobCommandOptions = ServerChoice & {
  readonly concurrency?: number;
  readonly out?: string;
  readonly json?: boolean;
  /** False starts the job and leaves it to the server. */
  readonly follow?: boolean;
};

const JOB_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export const isJobId = (text: string): boolean => JOB_ID.test(text);

const WATCH_OPTIONS: ReadonlySet<string> = new Set([
  "apiUrl",
  "apiKey",
  "dataDir",
  "out",
  "json",
  "follow",
]);

/** Throws when options for a new job are combined with the id of an existing one. */
export function rejectStartOptions(options: object, noun: string): void {
  const given = Object.keys(options).filter((name) => !WATCH_OPTIONS.has(name));
  if (given.length === 0) return;
  const names = given.map(
    (name) => `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter}`).toLowerCase()}`,
  );
  throw new RequestError(
    "BAD_REQUEST",
    `${names.join(", ")}: only valid for a new ${noun}; the ${noun} with this id keeps its options.`,
  );
}

/** Reports what was started, then follows it or prints only its id on standard output. */
export async function announceOrWatch(
  watched: WatchedJob,
  target: string,
  options: JobCommandOptions,
): Promise<void> {
  const { noun, job, isOwn, hint } = watched;
  if (options.json === true)
    process.stdout.write(
      `${JSON.stringify({ event: "started", kind: noun, id: job.id, target })}\n`,
    );
  else if (options.follow !== false)
    process.stderr.write(
      isJobId(target) ? `${watched.title}\n` : `${watched.title}, as ${noun} ${job.id}\n`,
    );
  if (options.follow !== false) {
    await watchJob(watched, options);
    return;
  }
  if (options.json !== true) process.stdout.write(`${job.id}\n`);
  process.stderr.write(
    isOwn
      ? `No server runs on the data folder, so the ${noun} starts when one does, or with ${hint(`${noun} ${job.id}`)}.\n`
      : `The ${noun} runs on the server. ${hint(`${noun} ${job.id}`)} shows its progress.\n`,
  );
}
