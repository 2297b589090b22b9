// What opens the page of an earlier scrape again, read from what was kept of it.
import type { Action } from "../contract/actions.ts";
import type { Profile } from "../contract/profile.ts";
import type { ScrapeOptions } from "../contract/scrape.ts";
import type { StoredScrape } from "../store/scrapes.ts";

export type Replay = {
  readonly url: string;
  readonly mobile: boolean;
  readonly country: string | undefined;
  readonly languages: readonly string[];
  readonly skipTlsVerification: boolean;
  readonly enhanced: boolean;
  readonly waitForMs: number;
  readonly actions: readonly Action[];
  readonly profile: Profile | undefined;
  /** Names of headers the scrape was sent with; their values are not kept. */
  readonly lostHeaders: readonly string[];
};

type KeptOptions = Partial<Omit<ScrapeOptions, "headers" | "url">> & {
  readonly headers?: readonly string[] | Readonly<Record<string, unknown>>;
};

/**
 * The way back to the page of a scrape: its URL, wait, device, place, profile and actions. Scripts among the actions are
 * not run again: they may have changed something out there (wire contract, section 9.1).
 */
export function replayOf(scrape: Pick<StoredScrape, "requestedUrl" | "options">): Replay {
  const options = (scrape.options ?? {}) as KeptOptions;
  const { headers = [], location } = options;
  return {
    url: scrape.requestedUrl,
    mobile: options.mobile ?? false,
    country: location?.country?.toLowerCase(),
    languages: location?.languages ?? [],
    skipTlsVerification: options.skipTlsVerification ?? false,
    enhanced: options.proxy === "enhanced",
    waitForMs: options.waitFor ?? 0,
    actions: (options.actions ?? []).filter(
      (action) =>
        action.type !== "executeJavascript" &&
        action.type !== "screenshot" &&
        action.type !== "pdf" &&
        action.type !== "scrape",
    ),
    profile: options.profile,
    lostHeaders: Array.isArray(headers) ? (headers as readonly string[]) : Object.keys(headers),
  };
}
