// Context of a step and shared helpers: time limits, and waiting until the page is quiet.
import type { CDPSession, Page } from "playwright-core";
import type { CapturedActions } from "../../capture.ts";
import type { Deadline } from "../../deadline.ts";

type Mutable<T> = T extends readonly (infer E)[] ? E[] : never;

/** The four result lists under construction. */
export type Results = { readonly [K in keyof CapturedActions]: Mutable<CapturedActions[K]> };

export type StepParts = {
  readonly page: Page;
  /** A CDP session of the page. */
  readonly session: CDPSession;
  readonly results: Results;
  readonly warnings: string[];
  /** Returns the page as HTML for a scrape step. */
  readonly readHtml: (page: Page, deadline: Deadline) => Promise<string>;
  /** Milliseconds to wait for an element, and again for it to accept a click. */
  readonly patienceMs: number;
};

/** Time limits of one step in milliseconds. The request's own time is the other limit. */
export const STEP_MS = { patience: 15_000, clickAll: 30_000, render: 60_000, script: 30_000 };

/** Returns a timeout slightly below ours, so that Playwright can report what it waited for. */
export const toTimeout = (until: Deadline): number => Math.max(1, until.getTimeLeftMs() - 100);
