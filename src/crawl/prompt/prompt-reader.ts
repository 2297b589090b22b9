// Reads a prompt about a site: loads the site's URLs, then reads the prompt.
import type { Identity } from "../../account/identity.ts";
import { mapRequestSchema, type MapOptions } from "../../contract/page/map.ts";
import { Deadline } from "../../deadline.ts";
import { QuarryError } from "../../errors.ts";
import type { Models } from "../../models/model.ts";
import type { KnownSite } from "./locate.ts";
import { proposeOptions, type Proposal } from "./propose.ts";

export type PromptCaller = {
  readonly identity: Identity;
  readonly requestId: string;
  /** Aborts when the caller disconnects. */
  readonly signal?: AbortSignal | undefined;
};

export type PromptReaderParts = {
  /** The URLs of a site from its sitemaps, its links and earlier fetches. */
  readonly readLinks: (
    options: MapOptions,
    caller: PromptCaller & { readonly signal: AbortSignal },
    deadline: Deadline,
  ) => Promise<{ readonly links: readonly { readonly url: string }[] }>;
  readonly models: Pick<Models, "role">;
  readonly now: () => number;
};

/**
 * Returns the options that a prompt sets for a crawl from the URL. Throws only on disconnect or
 * timeout.
 */
export type ReadCrawlPrompt = (url: URL, prompt: string, caller: PromptCaller) => Promise<Proposal>;

const TOTAL_TIMEOUT_MS = 60_000;
/** After this time the prompt is read without the site's URLs. */
const SITE_TIMEOUT_MS = 15_000;
const MAX_URLS = 5_000;

export function createPromptReader({ readLinks, models, now }: PromptReaderParts): ReadCrawlPrompt {
  async function readSite(url: URL, caller: PromptCaller, deadline: Deadline): Promise<KnownSite> {
    using own = deadline.createChild(SITE_TIMEOUT_MS);
    const options = mapRequestSchema.parse({
      url: url.href,
      limit: MAX_URLS,
      ignoreQueryParameters: false,
      crawlEntireDomain: true,
    });
    try {
      const { links } = await own.race(readLinks(options, { ...caller, signal: own.signal }, own));
      const urls = links.flatMap((link) => URL.parse(link.url) ?? []);
      return { start: url, urls, checked: urls.length > 0 };
    } catch (error) {
      deadline.check();
      if (!(error instanceof QuarryError)) throw error;
      return { start: url, urls: [], checked: false };
    }
  }

  return async (url, prompt, caller) => {
    using deadline = Deadline.start(TOTAL_TIMEOUT_MS, caller.signal);
    const site =
      prompt.trim() === ""
        ? { start: url, urls: [], checked: true }
        : await readSite(url, caller, deadline);
    return await proposeOptions({ prompt, site, model: models.role("fast"), deadline, now: now() });
  };
}
