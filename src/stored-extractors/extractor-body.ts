// Stored extractors and their runs in the shape of the API.
import type {
  ExtractorBody,
  ExtractorExample,
  RunResponse,
} from "../contract/extractors/extractor.ts";
import type { PageOptions } from "../contract/page/scrape.ts";
import type { LearnOutput } from "../formats/threads/learn-extractor.ts";
import type { ExtractorRecord } from "../store/accounts/extractors.ts";
import type { FetchedPage } from "./fetch-pages.ts";
import { describeHealth, NEW_HEALTH, type Health } from "./health.ts";
import { readProgram } from "./programs.ts";

/** Origin of an extractor, as stored with it. */
export type Origin = {
  readonly examples?: readonly ExtractorExample[] | undefined;
  readonly urls?: readonly string[] | undefined;
  readonly schema?: Readonly<Record<string, unknown>> | undefined;
  readonly prompt?: string | undefined;
  readonly options?: PageOptions | undefined;
  readonly relearn: boolean;
  readonly problems?: LearnOutput["problems"] | undefined;
};

export type ExtractorSummary = Pick<
  ExtractorBody,
  "id" | "name" | "version" | "state" | "source" | "createdAt" | "updatedAt"
>;

export const toSummary = (record: ExtractorRecord): ExtractorSummary => ({
  id: record.id,
  name: record.name,
  version: record.version,
  state: record.state,
  source: record.source,
  createdAt: new Date(record.createdAt).toISOString(),
  updatedAt: new Date(record.updatedAt).toISOString(),
});

export function toBody(record: ExtractorRecord): ExtractorBody {
  const { examples, schema, relearn, problems = [] } = record.request as Origin;
  return {
    ...toSummary(record),
    program: readProgram(record),
    ...(schema === undefined ? {} : { schema: { ...schema } }),
    ...(examples === undefined ? {} : { examples: [...examples] }),
    relearn,
    ...(problems.length === 0 ? {} : { problems: [...problems] }),
    health: describeHealth((record.health ?? NEW_HEALTH) as Health),
  };
}

export function toRun(page: FetchedPage): RunResponse["data"][number] {
  if ("error" in page) {
    const { url, error } = page;
    return { url, error: error.message, code: error.code };
  }
  const { json = null, jsonEvidence, extraction, warning, metadata } = page.document;
  return {
    url: page.url,
    json,
    ...(jsonEvidence === undefined ? {} : { jsonEvidence }),
    ...(extraction === undefined ? {} : { extraction }),
    ...(warning === undefined ? {} : { warning }),
    metadata,
  };
}
