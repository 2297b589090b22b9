// Converts the bytes of a capture to the parts of a document. Pure: the same bytes and options give
// the same result. Runs in a worker thread (pool.ts) without clock, network or storage.
import { decodeText } from "../html/parse/charset.ts";
import { FORMATS } from "./index.ts";
import type { Evidence } from "../html/evidence/evidence.ts";
import { isOfClass, judgeFacts } from "../html/evidence/verdict.ts";
import type { DeriveInput, DerivedDocument, VerdictOptions } from "./derivation.ts";
import { resolveUrl } from "../html/links/base-url.ts";
import { numberOrder } from "../html/metadata/date-text.ts";
import { PageModel } from "../page-model/page-model.ts";
import { readPageTables } from "../page-model/page-tables.ts";
import { toModelPage, type ModelPage } from "./model/model-page.ts";
import { describePageModel } from "./page/describe-page-model.ts";
import { collectFindings } from "./json/draft/draft.ts";
import { NO_FINDINGS } from "./json/declared/findings.ts";
import { buildFileParts } from "./page/parsed-file.ts";
import { readContent } from "./page/read-content.ts";
import type { Tokenizer } from "./markdown/markdown-chunks.ts";
import { PageView } from "./page/view.ts";

/** Loaded once per thread, with the code that converts pages. */
const DERIVATIONS = await Promise.all(
  FORMATS.map(async (format) => ({ name: format.name, make: await format.derive?.() })),
);

/** Reads the evidence, and computes every requested format if the page is the one to be returned. */
export function derive(input: DeriveInput, tokenizer?: Tokenizer): DerivedDocument {
  const started = performance.now();
  const decoded = input.text
    ? decodeText(input.body, input.contentType, input.mimeType)
    : { text: "", charset: undefined };
  const decodedAt = performance.now();
  const view = new PageView(input, decoded.text, tokenizer);
  const document: DerivedDocument["document"] = {};
  const wanted = new Map(input.formats.map((format) => [format.type, format]));
  const steps: Record<string, number> = { decode: decodedAt - started };
  const skipped = input.judging && findSkipReason(input.judging, view.getEvidence());
  const tables = input.tables === true && skipped === undefined ? readTables(view) : undefined;
  if (input.explain !== false && skipped === undefined && view.kind === "html")
    view.pageModel = describePageModel(collectFindings(view), view.getBase());
  for (const { name, make } of DERIVATIONS) {
    const format = wanted.get(name);
    if (skipped !== undefined || format === undefined || make === undefined) continue;
    const from = performance.now();
    Object.assign(document, make(view, format));
    steps[name] = performance.now() - from;
  }
  if (input.file !== undefined && skipped === undefined)
    Object.assign(document, buildFileParts(input.file));
  const reading = input.reads === true && skipped === undefined ? readContent(view) : undefined;
  if (view.needsModelText) view.modelPage = toTextPage(view);
  const { metadata, evidence, found } = view.finish();
  return {
    skipped,
    document,
    draft: view.jsonDraft,
    extractorRun: view.extractorRun,
    reading,
    modelPage: view.modelPage,
    tables,
    injection: view.injection,
    metadata,
    extraction: view.describeExtraction(document.markdown),
    evidence,
    found,
    site: view.site,
    audio: view.audio,
    charset: decoded.charset,
    warnings: view.warnings,
    steps: { ...view.steps, ...steps },
    startedAt: performance.timeOrigin + started,
    explanation: input.explain === false || skipped === "retry" ? undefined : view.explain(),
  };
}

/** Content that is no page, and pages of which the caller excluded parts. */
function toTextPage(view: PageView): ModelPage {
  const base = view.hasTree() ? view.getBase() : view.input.url;
  const source = { base, text: readContent(view).markdown };
  return toModelPage(NO_FINDINGS, source, view.getCounter());
}

function readTables(view: PageView): DerivedDocument["tables"] {
  if (!view.hasTree()) return [];
  const order = numberOrder(undefined, URL.parse(view.input.url)?.hostname ?? "");
  const base = view.getBase();
  return readPageTables(new PageModel(view.getDocument(), { order }), {
    resolve: (address) => resolveUrl(address, base),
  });
}

function findSkipReason(
  { facts, retryOn, withholds }: VerdictOptions,
  evidence: Evidence | undefined,
): DerivedDocument["skipped"] {
  const verdict = judgeFacts(facts, evidence);
  if (isOfClass(verdict, retryOn)) return "retry";
  return withholds && verdict.certain === true ? "withheld" : undefined;
}

/** Loads the tokenizer first, which takes .1 s, if the options need it. */
export async function deriveWithTokens(input: DeriveInput): Promise<DerivedDocument> {
  const { maxTokens, chunks } = input.markdown ?? {};
  const isRead = input.reads === true && input.formats.some(({ type }) => type === "json");
  if (maxTokens === undefined && chunks === undefined && !isRead) return derive(input);
  return derive(input, await import("../ranking/model-tokens.ts"));
}
