// llms.txt of a site: a crawl, and the files, built from its pages on request.
import type { z } from "zod";
import { crawlRequestSchema } from "../../contract/jobs/crawl.ts";
import type {
  llmsTxtQuerySchema,
  LlmsTxtOptions,
  LlmsTxtResponse,
} from "../../contract/jobs/llms-txt.ts";
import type { Document } from "../../contract/page/document.ts";
import type { Crawls } from "../../crawl/job.ts";
import type { SitePage } from "../../crawl/llms-txt/arrange-site.ts";
import type { Identity } from "../../account/identity.ts";
import { checkAgainst, type Call, type Handlers } from "../route.ts";
import { toJobCaller, type JobRouteParts } from "./jobs.ts";

const MAX_PAGES = 2_000;
const MAX_LINKS = 1_000;
/** Characters from which a page's description is taken. */
const MAX_OPENING = 4_000;

type Query = z.output<typeof llmsTxtQuerySchema>;

/** The same routes under /v1, where the published clients call them. */
export function createLlmsTxtHandlers(
  { jobs, address }: JobRouteParts<Crawls>,
  version: "v1" | "v2" = "v2",
): Handlers {
  const path = `/${version}/llmstxt`;
  return {
    [`POST ${path}`]: async (call: Call<LlmsTxtOptions>) => {
      const { url, maxUrls, describe, cache, origin, integration, ...given } = call.body;
      const { showFullText = version === "v2" } = given;
      const options = checkAgainst(crawlRequestSchema, {
        url,
        limit: maxUrls,
        includePaths: given.includePaths,
        excludePaths: given.excludePaths,
        crawlEntireDomain: given.crawlEntireDomain,
        origin,
        integration,
        scrapeOptions: {
          formats: ["markdown", "links", ...(describe === "summary" ? ["summary"] : [])],
          markdown: { images: "alt" },
          ...(cache ? {} : { maxAge: 0 }),
        },
      });
      const crawls = await jobs();
      const { id, warning } = await crawls.start(options, {
        ...toJobCaller(call, address),
        showFullText,
        ...(version === "v1" ? { apiVersion: version } : {}),
      });
      return {
        success: true,
        id,
        url: address(call.request, `${path}/${id}`),
        ...(warning === undefined ? {} : { warning }),
      };
    },

    [`GET ${path}/:id`]: async ({
      params: { id },
      query: { maxTokens, full, maxCharacters },
      identity,
    }: Call<unknown, Query, { readonly id: string }>): Promise<LlmsTxtResponse> => {
      const crawls = await jobs();
      const report = await crawls.report(id, identity);
      const { status, completed, total, error, warning } = report;
      const isRunning = status === "scraping";
      const warnings = warning === undefined ? [] : [warning];
      const files =
        isRunning || completed === 0
          ? { llmstxt: "" }
          : await buildFiles(
              crawls,
              {
                id,
                identity,
                maxTokens,
                full: full ?? report.showFullText ?? true,
                maxCharacters,
              },
              warnings,
            );
      return {
        success: completed > 0 || isRunning,
        status: isRunning ? "processing" : completed > 0 ? "completed" : "failed",
        completed,
        total,
        data: files,
        ...(isRunning || completed > 0 ? {} : { error: error ?? "No page could be read." }),
        ...(warnings.length === 0 ? {} : { warning: warnings.join(" ") }),
        expiresAt: new Date(report.expiresAt).toISOString(),
      };
    },
  };
}

type FileRequest = {
  readonly id: string;
  readonly identity: Identity;
  readonly maxTokens: number;
  readonly full: boolean;
  readonly maxCharacters: number;
};

async function buildFiles(
  crawls: Crawls,
  { id, identity, maxTokens, full, maxCharacters }: FileRequest,
  warnings: string[],
): Promise<LlmsTxtResponse["data"]> {
  const { writeLlmsTxt, writeLlmsFullTxt } = await import("../../crawl/llms-txt/llms-txt.ts");
  const [first] = (await crawls.listLedger(id, identity, { skip: 0, limit: 1, fate: undefined }))
    .entries;
  const pages: SitePage[] = [];
  let characters = 0;
  for await (const group of crawls.iterateDocuments(id, identity, { skip: 0, limit: MAX_PAGES }))
    for (const json of group) {
      const page = toPage(JSON.parse(Buffer.from(json).toString("utf8")) as Document);
      if (page === undefined) continue;
      characters += page.markdown.length;
      // Later pages are listed without their text.
      const isCut = characters > 2 * maxCharacters && page.markdown.length > MAX_OPENING;
      pages.push(isCut ? { ...page, isCut, markdown: page.markdown.slice(0, MAX_OPENING) } : page);
    }
  const start = first?.url ?? pages[0]?.url ?? "";
  const { text, listed, total } = await writeLlmsTxt(start, pages, maxTokens);
  if (listed < total)
    warnings.push(`llms.txt lists ${listed} of ${total} pages within ${maxTokens} tokens.`);
  if (!full) return { llmstxt: text };
  const whole = writeLlmsFullTxt(start, pages, maxCharacters);
  const { omitted } = whole;
  if (omitted.length > 0)
    warnings.push(
      `llms-full.txt leaves out ${omitted.length} of ${whole.total} pages, to stay within ${maxCharacters} characters. Its end and data.omitted list them; maxCharacters, at most 40000000, raises the limit.`,
    );
  return {
    llmstxt: text,
    llmsfulltxt: whole.text,
    ...(omitted.length > 0 && { omitted: [...omitted] }),
  };
}

/** Undefined for a page without text, and for error pages. */
function toPage({ markdown = "", links = [], summary, metadata }: Document): SitePage | undefined {
  if (markdown.trim() === "" || (metadata.statusCode ?? 200) >= 400) return undefined;
  const toText = (value: unknown): string => {
    const [found] = [value].flat();
    return typeof found === "string" ? found : "";
  };
  return {
    url: toText(metadata.url) || toText(metadata.sourceURL),
    title: toText(metadata["articleTitle"]) || toText(metadata.title),
    description: toText(summary) || toText(metadata.description),
    markdown,
    links: links.slice(0, MAX_LINKS).map(String),
  };
}
