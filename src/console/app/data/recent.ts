// Requests made from this browser, newest first. Kept in the browser: addresses and options, never
// results or keys.
import { signal } from "@preact/signals";

export type RecentRequest = {
  readonly mode: string;
  readonly url: string;
  /** Screen that shows the request again. */
  readonly path: string;
  readonly at: number;
};

const NAME = "quarry-recent";
const MAX_REQUESTS = 50;

function load(): RecentRequest[] {
  try {
    const value = JSON.parse(localStorage.getItem(NAME) ?? "[]") as unknown;
    return Array.isArray(value) ? (value as RecentRequest[]) : [];
  } catch {
    return [];
  }
}

export const recentRequests = signal<readonly RecentRequest[]>(load());

export function rememberRequest(request: RecentRequest): void {
  const others = recentRequests.value.filter(({ path }) => path !== request.path);
  recentRequests.value = [request, ...others].slice(0, MAX_REQUESTS);
  try {
    localStorage.setItem(NAME, JSON.stringify(recentRequests.value));
  } catch {
    // Without browser storage the list lasts as long as the tab.
  }
}
