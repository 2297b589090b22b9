// What goes into a worker thread and what comes out of it.
import type { AudioSource } from "../audio/find-audio.ts";
import type { BrandingEvidence } from "../branding-evidence.ts";
import type { Document } from "../contract/page/document.ts";
import type { Format } from "../contract/page/formats.ts";
import type { Evidence } from "../html/evidence/evidence.ts";
import type { PageLinks } from "../html/links/page-links.ts";
import type { MainContentSummary } from "../html/main-content/find-main-content.ts";
import type { KnownBlocks, SiteText } from "../html/main-content/site-blocks.ts";
import type { Removal } from "../html/clean/removal.ts";
import type { JsonDraft } from "./json/json-draft.ts";
import type { FileInput } from "./parsed-file.ts";
import type { Reading } from "./content-text.ts";

/** Whether to tell how an answer came about; with "overlay" also as a page to look at. */
export type Explain = boolean | "overlay";

/** All that a worker thread needs to compute the formats of one capture. */
export type DeriveInput = {
  readonly body: Uint8Array;
  /** Is the body text (HTML, JSON, XML …) that has to be decoded? */
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
  readonly explain: Explain;
  /** Also read the links that a crawl may follow. */
  readonly discover: boolean;
  /** The Link header of the answer (RFC 8288), "" without one; only read with `discover`. */
  readonly linkHeader: string;
  /** See ContentOptions. */
  readonly dropConcealed?: boolean | undefined;
  /** A file that was parsed: `body` is then its HTML. */
  readonly file?: FileInput | undefined;
  /** Also give the content as text, for a model that reads it. */
  readonly reads?: boolean | undefined;
  /**
   * In a crawl: what most pages of the site repeat so far. May be a getter: it is read when a thread takes the page, which may
   * have waited for others of its site.
   */
  readonly known?: KnownBlocks | undefined;
  /** What a browser saw of the page's looks; only of pages that one opened for the branding format. */
  readonly branding?: BrandingEvidence | undefined;
};

/** What --explain adds: which step removed which part of the page, and where each metadata value came from. */
export type Explanation = {
  readonly removals: readonly Removal[];
  readonly contentWords: number;
  readonly fallback: string | undefined;
  readonly metadataSources: Readonly<Record<string, string>>;
  /** What kind of page it was taken for and how it was cut; undefined where main content was not looked for. */
  readonly mainContent: MainContentSummary | undefined;
  /** The page with what was kept and removed in colour, as HTML; of pages, where it was asked for. */
  readonly overlay?: string | undefined;
};

export type Derived = {
  /** What rules found for the json format. */
  readonly draft?: JsonDraft | undefined;
  /** Where it was asked for. */
  readonly reading?: Reading | undefined;
  /** Words of the whole page that give orders to a model; only looked for where such pages are to be refused. */
  readonly orders?: string | undefined;
  readonly document: Partial<Document>;
  readonly metadata: Record<string, string | string[]>;
  /** Undefined for what is not HTML. */
  readonly evidence: Evidence | undefined;
  /** What the page has to do with its site, where that was asked for. */
  readonly site?: SiteText | undefined;
  /** Of an HTML page, where they were asked for. */
  readonly found: PageLinks | undefined;
  /** Where its audio is, the most likely first. */
  readonly audio: readonly AudioSource[];
  readonly charset: string | undefined;
  readonly warnings: readonly string[];
  /** Milliseconds by step. */
  readonly steps: Record<string, number>;
  readonly explanation: Explanation | undefined;
};
