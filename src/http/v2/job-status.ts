// Maps job use case results to the wire (wire contract 5.2, 5.3).
import type { z } from "zod";
import type {
  activeCrawlsResponseSchema,
  jobErrorsResponseSchema,
  JobStatusResponse,
} from "../../contract/jobs/crawl.ts";
import type { Document } from "../../contract/page/document.ts";
import type { ActiveJob, DocumentJson, JobFailures, JobResults } from "../../crawl/job.ts";

const toIso = (at: number): string => new Date(at).toISOString();

/** The state of a job of any kind. */
export type JobState<Status extends string> = {
  readonly status: Status;
  readonly creditsUsed: number;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
  readonly error?: string | undefined;
  readonly code?: string | undefined;
  readonly warning?: string | undefined;
};

/** The fields of the state of a job of any kind. */
export const toStateBody = <Status extends string>(state: JobState<Status>) => ({
  success: true as const,
  status: state.status,
  creditsUsed: state.creditsUsed,
  expiresAt: toIso(state.expiresAt),
  ...(state.error === undefined ? {} : { error: state.error }),
  ...(state.code === undefined ? {} : { code: state.code }),
  ...(state.warning === undefined ? {} : { warning: state.warning }),
});

/** `next` is the absolute URL of the next page of results, if any. */
export function toStatusBody(results: JobResults, next: string | undefined): JobStatusResponse {
  const { createdAt, completedAt } = results;
  return {
    ...toStateBody(results),
    id: results.id,
    completed: results.completed,
    total: results.total,
    createdAt: toIso(createdAt),
    ...(completedAt === undefined
      ? {}
      : { completedAt: toIso(completedAt), duration: (completedAt - createdAt) / 1_000 }),
    ...(next === undefined ? {} : { next }),
    data: results.documents.map(readDocument),
  };
}

const readDocument = (json: DocumentJson): Document =>
  JSON.parse(Buffer.from(json.buffer, json.byteOffset, json.byteLength).toString()) as Document;

const COMMA = Buffer.from(",");
/** Closes the list of documents. */
const END = Buffer.from("]}");

/** Serializes the body as UTF-8 JSON. Documents are copied from storage without being parsed. */
export function writeStatusBody(results: JobResults, next: string | undefined): Buffer {
  const around = JSON.stringify(toStatusBody({ ...results, documents: [] }, next));
  const documents = results.documents.flatMap((json, index) =>
    index === 0 ? [json] : [COMMA, json],
  );
  return Buffer.concat([Buffer.from(around.slice(0, -END.length)), ...documents, END]);
}

/** The body of DELETE for a job of any kind; `noun` is its name in the warning. */
export const toCancelBody = (noun: "job" | "run", status: string, isCancelled: boolean) => ({
  success: true as const,
  status,
  ...(!isCancelled && {
    warning: `The ${noun} is ${status}; a ${noun} that has ended cannot be cancelled.`,
  }),
});

export function toErrorsBody(failures: JobFailures): z.output<typeof jobErrorsResponseSchema> {
  return {
    success: true,
    errors: failures.errors.map(({ id, at, url, code, error }) => ({
      id,
      timestamp: toIso(at),
      url,
      ...(code === undefined ? {} : { code }),
      error,
    })),
    robotsBlocked: [...failures.robotsBlocked],
    ...(failures.warning === undefined ? {} : { warning: failures.warning }),
  };
}

export function toActiveBody(
  active: readonly ActiveJob[],
): z.output<typeof activeCrawlsResponseSchema> {
  return {
    success: true,
    crawls: active.map(({ id, accountId, url, createdAt, options }) => ({
      id,
      teamId: accountId,
      url,
      created_at: toIso(createdAt),
      options: { ...options },
    })),
  };
}
