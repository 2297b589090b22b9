// Input and output of a worker thread.
import type { AudioSource } from "../audio/find-audio.ts";
import type { ProbeValues } from "../browser/page/page-probe.ts";
import type { ExtractorProgram } from "../contract/extractors/program.ts";
import type { PageModelView } from "../contract/page/explanation.ts";
import type { Document } from "../contract/page/document.ts";
import type { Extraction } from "../contract/page/metadata.ts";
import type { MarkdownOptions } from "../contract/page/markdown.ts";
import type { Format, FormatType } from "../contract/page/formats.ts";
import type { ProgramResult } from "../extractors/run-program.ts";
import type { Evidence } from "../html/evidence/evidence.ts";
import type { CaptureFacts, VerdictClasses } from "../html/evidence/verdict.ts";
import type { PageLinks } from "../html/links/page-links.ts";
import type { MainContentSummary } from "../html/main-content/find-main-content.ts";
import type { KnownBlocks, SiteText } from "../html/main-content/passes/site-blocks.ts";
import type { Removal } from "../html/clean/removal.ts";
import type { PageTable } from "../page-model/page-tables.ts";
import type { JsonDraft } from "./json/draft/json-draft.ts";
import type { ModelPage } from "./model/model-page.ts";
import type { FileInput } from "./page/parsed-file.ts";
import type { ContentReading } from "./page/content-text.ts";

/** Explains how an answer was produced; "overlay" also renders a page. */
export type Explain = boolean | "overlay";

/** Everything that a worker thread needs to compute the formats of one capture. */
export type DeriveInput = {
  readonly body: Uint8Array;
  /** True for a text body (HTML, JSON, XML …) that must be decoded. */
  readonly text: boolean;
  readonly contentType: string;
  readonly mimeType: string;
  /** Final URL, the base of relative addresses. */
  readonly url: string;
  readonly formats: readonly Format[];
  readonly onlyMainContent: boolean;
  readonly includeTags: readonly string[];
  readonly excludeTags: readonly string[];
  readonly removeBase64Images: boolean;
  /** Options for writing and cutting the Markdown. */
  readonly markdown?: MarkdownOptions | undefined;
  readonly explain: Explain;
  /** Also reads the links that a crawl may follow. */
  readonly discover: boolean;
  /** Time of the fetch, milliseconds since the epoch; later dates are ignored. */
  readonly fetchedAt?: number | undefined;
  /** Link header of the response (RFC 8288), "" if none; only read with `discover`. */
  readonly linkHeader: string;
  /** See ContentOptions. */
  readonly dropConcealed?: boolean | undefined;
  /** Also reads tables and repeated records as rows. */
  readonly tables?: boolean | undefined;
  /** A parsed file; `body` is then its HTML. */
  readonly file?: FileInput | undefined;
  /** Also returns the content as text for a model. */
  readonly reads?: boolean | undefined;
  /**
   * In a crawl: blocks that most pages of the site repeat so far. May be a getter, because it is
   * read when a thread takes the page, which may have waited for other pages of the site.
   */
  readonly known?: KnownBlocks | undefined;
  /** Values that the probes of the formats read in a browser. */
  readonly probes?: ProbeValues | undefined;
  /** Texts that the page showed only after its actions. */
  readonly appeared?: readonly string[] | undefined;
  /** The program of the json format's extractor. */
  readonly extractor?: StoredProgram | undefined;
  /** When missing, the formats are derived for any verdict. */
  readonly judging?: VerdictOptions | undefined;
};

/**
 * Additional output of --explain: which step removed which part of the page, and the source of each
 * metadata value.
 */
export type Explanation = {
  readonly removals: readonly Removal[];
  readonly contentWords: number;
  readonly fallback: string | undefined;
  readonly metadataSources: Readonly<Record<string, string>>;
  /** Visible content of an HTML page, as a tree of references. */
  readonly pageModel?: PageModelView | undefined;
  /** The detected kind of page and the cut; undefined if main content was not requested. */
  readonly mainContent: MainContentSummary | undefined;
  /** The page with kept and removed parts in color, as HTML, if requested. */
  readonly overlay?: string | undefined;
};

/** Decides before any format is derived whether the page is the one to derive them from. */
export type VerdictOptions = {
  readonly facts: CaptureFacts;
  /** Verdicts after which the page is fetched in another way. */
  readonly retryOn: VerdictClasses;
  /** True if nothing of a certain block page is returned. */
  readonly withholds: boolean;
};

export type StoredProgram = {
  readonly id: string;
  readonly version: number;
  readonly program: ExtractorProgram;
};

/** Result of an extractor, for its health. */
export type ExtractorRun = Pick<ProgramResult, "counts" | "templateMatch">;

export type DerivedDocument = {
  /**
   * Reason why no format was derived: the page may be fetched in another way, its text is
   * withheld, or the caller has the document of the same bytes.
   */
  readonly skipped?: "retry" | "withheld" | "unchanged" | undefined;
  /** Rule-based result for the json format. */
  readonly draft?: JsonDraft | undefined;
  /** Set if the json format has an extractor. */
  readonly extractorRun?: ExtractorRun | undefined;
  /** The page as a model is shown it, if the json format needs a model. */
  readonly modelPage?: ModelPage | undefined;
  /** Formats that cost nothing: nothing fills them, or the model that was to make them did not answer. */
  readonly uncharged?: readonly FormatType[] | undefined;
  /** Set if requested. */
  readonly reading?: ContentReading | undefined;
  /**
   * Text of the whole page that gives instructions to a model; only searched if such pages are
   * refused.
   */
  readonly injection?: string | undefined;
  /** Tables and repeated records of an HTML page, if requested. */
  readonly tables?: readonly PageTable[] | undefined;
  readonly document: Partial<Document>;
  readonly metadata: Record<string, string | string[]>;
  /** Set for the content of HTML pages, if a format needed it. */
  readonly extraction?: Extraction | undefined;
  /** Undefined for content other than HTML. */
  readonly evidence: Evidence | undefined;
  /** Text shared with the site, if requested. */
  readonly site?: SiteText | undefined;
  /** Links of an HTML page, if requested. */
  readonly found: PageLinks | undefined;
  /** Audio sources, the most likely first. */
  readonly audio: readonly AudioSource[];
  readonly charset: string | undefined;
  readonly warnings: readonly string[];
  /** Milliseconds by step. */
  readonly steps: Record<string, number>;
  /** When the conversion began, milliseconds since the epoch. */
  readonly startedAt: number;
  readonly explanation: Explanation | undefined;
};
