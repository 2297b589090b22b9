// Which of the first steps this account has taken.
import { call } from "../../data/api.ts";

export type FirstSteps = {
  readonly scraped: boolean;
  readonly crawled: boolean;
  /** A snippet was taken in this browser; the server cannot tell programs from people. */
  readonly used: boolean;
};

const TAKEN = "quarry-first-steps";

export const markTaken = (): void => {
  try {
    localStorage.setItem(TAKEN, "yes");
  } catch {
    // Without browser storage the step is shown as open again after a reload.
  }
};

const isTaken = (): boolean => {
  try {
    return localStorage.getItem(TAKEN) === "yes";
  } catch {
    return false;
  }
};

export async function loadFirstSteps(signal?: AbortSignal): Promise<FirstSteps> {
  const [activity, jobs] = await Promise.all([
    call<{ data: readonly unknown[] }>("GET", "/v2/team/activity", { query: { limit: 1 }, signal }),
    call<{ jobs: readonly unknown[] }>("GET", "/v2/jobs", {
      query: { kind: "crawl", limit: 1 },
      signal,
    }).catch(() => ({ jobs: [] })),
  ]);
  return {
    scraped: activity.data.length > 0,
    crawled: jobs.jobs.length > 0,
    used: isTaken(),
  };
}
