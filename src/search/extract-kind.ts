// Extraction as a kind of job: its pages are charged separately, and its one answer is the event of
// its end.
import type { ErrorCode } from "../contract/request/error-codes.ts";
import { InternalError, QuarryError } from "../errors.ts";
import type { JobEnd, JobKind, RunContext } from "../jobs/kind.ts";
import type { JobRecord } from "../store/jobs/job-record.ts";
import { removeLogins } from "../url/userinfo.ts";
import { runExtract, type ExtractJobParts, type StoredExtract } from "./extract-job.ts";

/** Maximum delay of a timer; a job does not live as long. */
const MAX_TIMER_MS = 2 ** 31 - 1;
const HOUR_MS = 3_600_000;
const GIVEN_UP = new InternalError("The extraction failed.");

export function createExtractKind(parts: ExtractJobParts): JobKind {
  return {
    name: "extract",
    title: "Extract job",
    charged: "as it goes",
    cancellable: true,
    toActivity(job) {
      const { urls, prompt, apiVersion = "v2" } = readOptions(job);
      const [first] = removeLogins(urls.slice(0, 1));
      return { target: first ?? prompt?.slice(0, 500) ?? null, apiVersion };
    },
    runner: {
      concurrency: 2,
      maxAttempts: 4,
      retryDelayMs: 2_000,
      maxRunMs: HOUR_MS,
      run: (context) => runInTime(parts, context),
      giveUp(_context, error) {
        const cause = error instanceof QuarryError ? error : GIVEN_UP;
        return { state: "failed", error: cause.toRecord() };
      },
    },
  };
}

const readOptions = ({ options }: JobRecord): StoredExtract => options as StoredExtract;

/** Runs within the caller's timeout; exceeding it is not a server error. */
async function runInTime(parts: ExtractJobParts, context: RunContext): Promise<JobEnd> {
  const { timeout } = readOptions(context.job);
  if (timeout === undefined) return await runExtract(parts, context);
  const late = AbortSignal.timeout(Math.min(timeout, MAX_TIMER_MS));
  const signal = AbortSignal.any([context.signal, late]);
  try {
    return await runExtract(parts, { ...context, signal });
  } catch (error) {
    if (!late.aborted || context.signal.aborted) throw error;
    const code: ErrorCode = "SCRAPE_TIMEOUT";
    return {
      state: "failed",
      error: { code, message: `The extraction timed out after ${timeout} ms.` },
    };
  }
}
