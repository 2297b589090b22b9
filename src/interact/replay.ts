// Restores how to reopen the page of an earlier scrape from its stored request.
import type { Action } from "../contract/page/actions.ts";
import type { Profile } from "../contract/session/profile.ts";
import type { ScrapeOptions } from "../contract/page/scrape.ts";
import type { StoredScrape } from "../store/captures/scrapes.ts";

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
  readonly headers: Readonly<Record<string, string>>;
  /** Names of the scrape's headers whose values can no longer be read. */
  readonly lostHeaders: readonly string[];
};

type StoredOptions = Partial<Omit<ScrapeOptions, "headers" | "url">>;

/**
 * Returns how to reopen the page of a scrape: URL, headers, wait, device, location, profile and
 * actions. Its scripts are not run again, because they may have had side effects (wire contract,
 * section 9.1).
 */
export function buildReplay(
  scrape: Pick<StoredScrape, "requestedUrl" | "options" | "headers" | "headerNames">,
): Replay {
  const options: StoredOptions = scrape.options ?? {};
  const { location } = options;
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
    headers: scrape.headers ?? {},
    lostHeaders: scrape.headers === undefined ? scrape.headerNames : [],
  };
}
