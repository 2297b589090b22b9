// Bodies that are endless by size or time. Passes if the scrape is answered soon after its timeout.
import {
  reportBroke,
  reportHeld,
  type CaseContext,
  type Finding,
  type HostileCase,
} from "../hostile-case.ts";
import type { Handle } from "../hostile-site.ts";
import { describeReply } from "../target.ts";

const TIMEOUT_MS = 6_000;
const SMALL_TIMEOUT_MS = 2_000;

/** Scrapes a page that `handle` serves, with a short timeout. */
export async function scrapeSlowly(
  { target, site, isSmall }: CaseContext,
  handle: Handle,
): Promise<Finding> {
  const page = site.serve("slow", handle);
  const timeoutMs = isSmall ? SMALL_TIMEOUT_MS : TIMEOUT_MS;
  const reply = await target.scrape(page.url, {}, timeoutMs);
  if (page.requests() === 0)
    return reportBroke(`the page was never asked for: ${describeReply(reply)}`);
  if (reply.status === 0)
    return reportBroke(`${describeReply(reply)}; the timeout of the scrape was ${timeoutMs} ms`);
  return reportHeld(describeReply(reply));
}

/** Common parts of the cases. */
export const endlessAnswer = {
  promise: "The scrape ends with its timeout.",
  severity: "high",
  budgetMs: 45_000,
} as const satisfies Partial<HostileCase>;
