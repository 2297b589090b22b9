// The end of a page's work: document, links, fates, counters, credits, events and the end of the job in one transaction.
import type { Document } from "../contract/document.ts";
import type { ErrorRecord } from "../errors.ts";
import type { JobChange, JobCounters } from "./jobs.ts";
import type { FoundUrl, LeasedPage, Refusal } from "./frontier.ts";

/** Two pages of a job with the same target or the same content give one document. */
export type Sameness = {
  /** Identity of the final or canonical URL. */
  readonly target?: { readonly identity: bigint; readonly by: "redirect" | "canonical" };
  /** Signed 64-bit hash of the content. */
  readonly content?: bigint;
};

export type PageOutcome =
  | {
      readonly type: "document";
      readonly scrapeId: string;
      readonly finalUrl: string;
      readonly statusCode: number | null;
      readonly document: Document;
      readonly same: Sameness;
      readonly credits: number;
    }
  | { readonly type: "failed"; readonly error: ErrorRecord; readonly credits: number }
  /** No document and no error: a redirect out of scope, a start page that no include pattern matches. */
  | { readonly type: "refused"; readonly refusal: Refusal; readonly credits: number };

export type FinishedPage = {
  /** As claimed. */
  readonly page: LeasedPage;
  readonly outcome: PageOutcome;
  /** Where it led; `parent` is filled in. Also of pages without a document. */
  readonly links: readonly Omit<FoundUrl, "parent">[];
};

export type FinishReport = JobChange & {
  /** For each page, in the order given. lost: another worker has it by now or the job ended; nothing was written. */
  readonly pages: readonly ("fetched" | "failed" | "refused" | "duplicate" | "lost")[];
  /** URLs that can be claimed now and could not before. */
  readonly ready: number;
  readonly counters: JobCounters;
};

export type Finish = (
  jobId: string,
  worker: string,
  pages: readonly FinishedPage[],
  now?: number,
) => Promise<FinishReport>;
