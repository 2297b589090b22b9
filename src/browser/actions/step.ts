// What a step gets, and what steps share: its own share of the time, and waiting until the page is quiet after it.
import type { CDPSession, Page } from "playwright-core";
import type { CapturedActions } from "../../capture.ts";
import type { Deadline } from "../../deadline.ts";

type Mutable<T> = T extends readonly (infer E)[] ? E[] : never;

/** The four lists while they are being filled. */
export type Results = { readonly [K in keyof CapturedActions]: Mutable<CapturedActions[K]> };

export type StepParts = {
  readonly page: Page;
  /** A CDP session of the page. */
  readonly session: CDPSession;
  readonly results: Results;
  readonly warnings: string[];
  /** The page as HTML, for a scrape step. */
  readonly readHtml: (page: Page, deadline: Deadline) => Promise<string>;
  /** Milliseconds to wait for an element, and once more for it to take a click. */
  readonly patienceMs: number;
};

/** Milliseconds one step may take. The request's own time is the other bound. */
export const STEP_MS = { patience: 15_000, clickAll: 30_000, render: 60_000, script: 30_000 };

/** Ends the time of Playwright's own waiting a little before ours, so that it can say what it waited for. */
export const timeoutOf = (until: Deadline): number => Math.max(1, until.timeLeftMs() - 100);
