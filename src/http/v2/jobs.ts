// Routes that crawl and batch share after their start: status, cancel, errors, ledger, export.
import { Readable } from "node:stream";
import type { FastifyRequest } from "fastify";
import type { z } from "zod";
import type { exportQuerySchema, ledgerQuerySchema } from "../../contract/jobs/ledger.ts";
import type { JobResults, PageJobs } from "../../crawl/job.ts";
import type { JobCaller } from "../../jobs/caller.ts";
import { RequestError } from "../../errors.ts";
import type { PublicAddress } from "../public-address.ts";
import type { Call, Handlers } from "../route.ts";
import { toCancelBody, toErrorsBody, writeStatusBody } from "./job-status.ts";
import { writeZip } from "../../runtime/zip.ts";
import {
  toDocumentFiles,
  toDocumentLines,
  toDocumentTable,
  toLedgerLines,
  toLedgerTable,
} from "./job-streams.ts";

export type JobRouteParts<Kind extends PageJobs> = {
  /** Resolves once the database is open. */
  readonly jobs: () => Promise<Kind>;
  readonly address: PublicAddress;
};

type Id = { readonly id: string };
type Paging = { readonly skip?: number; readonly limit?: number };
type LedgerQuery = z.output<typeof ledgerQuerySchema>;
type ExportQuery = z.output<typeof exportQuerySchema>;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const LEDGER_PAGE = 1_000;

/** Builds the response for a page of results: a body, or its bytes. */
type StatusAnswer = (results: JobResults, next: string | undefined) => object;

/** Handlers of the routes below `path`, such as /v2/crawl. */
export function createJobHandlers(
  path: string,
  { jobs, address }: JobRouteParts<PageJobs>,
  answer: StatusAnswer = writeStatusBody,
): Handlers {
  return {
    [`GET ${path}/:id`]: async ({
      params,
      query,
      identity,
      request,
      reply,
      signal,
    }: Call<unknown, Paging, Id>) => {
      const { skip = 0, limit } = query;
      const results = await (
        await jobs()
      ).listResults(params.id, identity, { skip, limit }, signal);
      const { nextSkip } = results;
      const next =
        nextSkip === undefined
          ? undefined
          : address(request, `${path}/${results.id}?${buildPageQuery(nextSkip, limit)}`);
      reply.type(JSON_TYPE);
      return answer(results, next);
    },

    [`DELETE ${path}/:id`]: async ({ params, identity }: Call<unknown, unknown, Id>) => {
      const status = await (await jobs()).cancel(params.id, identity);
      return toCancelBody("job", status, status === "cancelled");
    },

    [`GET ${path}/:id/errors`]: async ({ params, identity }: Call<unknown, unknown, Id>) =>
      toErrorsBody(await (await jobs()).listFailures(params.id, identity)),

    [`GET ${path}/:id/ledger`]: async (call: Call<unknown, LedgerQuery, Id>) => {
      const use = await jobs();
      const { params, query, identity, request, reply } = call;
      if (query.format !== "json") {
        await use.report(params.id, identity);
        const entries = use.iterateLedger(params.id, identity, query.fate);
        const isCsv = query.format === "csv";
        reply.type(isCsv ? CSV : NDJSON);
        return toStream(isCsv ? toLedgerTable(entries) : toLedgerLines(entries));
      }
      const { skip = 0, limit = LEDGER_PAGE, fate } = query;
      const page = await use.listLedger(params.id, identity, { skip, limit, fate });
      const filter = fate === undefined ? "" : `&fate=${fate}`;
      const { nextSkip } = page;
      return {
        success: true,
        id: page.report.id,
        status: page.report.status,
        total: page.total,
        sums: page.sums,
        ...(nextSkip === undefined
          ? {}
          : {
              next: address(
                request,
                `${path}/${page.report.id}/ledger?${buildPageQuery(nextSkip, query.limit)}${filter}`,
              ),
            }),
        entries: page.entries,
      };
    },

    [`GET ${path}/:id/export`]: async ({
      params,
      query: { skip = 0, limit, format },
      identity,
      reply,
    }: Call<unknown, ExportQuery, Id>) => {
      const use = await jobs();
      const { createdAt } = await use.report(params.id, identity);
      const documents = use.iterateDocuments(params.id, identity, { skip, limit });
      if (format === "zip") {
        reply.type(ZIP);
        return toStream(writeZip(toDocumentFiles(documents), createdAt));
      }
      const isCsv = format === "csv";
      reply.type(isCsv ? CSV : NDJSON);
      return toStream(isCsv ? toDocumentTable(documents) : toDocumentLines(documents));
    },
  };
}

/** The caller that starts a job. */
export function toJobCaller({ identity, request }: Call, address: PublicAddress): JobCaller {
  const base = address(request, "");
  return { identity, requestId: request.id, base, idempotencyKey: readIdempotencyKey(request) };
}

function readIdempotencyKey({ headers }: FastifyRequest): string | undefined {
  const key = headers["x-idempotency-key"];
  if (key === undefined || key === "") return undefined;
  if (typeof key === "string" && UUID.test(key)) return key.toLowerCase();
  throw new RequestError(
    "BAD_REQUEST",
    "Invalid idempotency key: x-idempotency-key must be a UUID.",
  );
}

const JSON_TYPE = "application/json; charset=utf-8";
const NDJSON = "application/x-ndjson; charset=utf-8";
const CSV = "text/csv; charset=utf-8";
const ZIP = "application/zip";

const buildPageQuery = (skip: number, limit: number | undefined): string =>
  limit === undefined ? `skip=${skip}` : `skip=${skip}&limit=${limit}`;

/** Pulled by the reader, so that only requested pages are produced. */
const toStream = (parts: AsyncIterable<string | Uint8Array>): Readable =>
  Readable.from(parts, { objectMode: false });
