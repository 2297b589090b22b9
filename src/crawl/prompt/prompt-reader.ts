// A prompt about a site: the site is looked at, then the prompt is read.
import type { Identity } from "../../account/identity.ts";
import { mapRequestSchema, type MapOptions } from "../../contract/page/map.ts";
import { Deadline } from "../../deadline.ts";
import { QuarryError } from "../../errors.ts";
import type { Models } from "../../models/model.ts";
import type { KnownSite } from "./locate.ts";
import { propose, type Proposal } from "./propose.ts";

export type PromptCaller = {
  readonly identity: Identity;
  readonly requestId: string;
  /** Aborts when nobody waits any more. */
  readonly signal?: AbortSignal | undefined;
};

export type PromptReaderParts = {
  /** The addresses of a site, from its sitemaps, its links and what was fetched of it before. */
  readonly readLinks: (
    options: MapOptions,
    caller: PromptCaller & { readonly signal: AbortSignal },
    deadline: Deadline,
  ) => Promise<{ readonly links: readonly { readonly url: string }[] }>;
  readonly models: Pick<Models, "role">;
  readonly now: () => number;
};

/** What a prompt says about a crawl that starts at the URL. Throws only when the caller has gone or the time is over. */
export type ReadCrawlPrompt = (url: URL, prompt: string, caller: PromptCaller) => Promise<Proposal>;

const WHOLE_MS = 60_000;
/** A site that takes longer is not waited for: the prompt is read without it. */
const SITE_MS = 15_000;
const MAX_URLS = 5_000;

export function createPromptReader({ readLinks, models, now }: PromptReaderParts): ReadCrawlPrompt {
  async function readSite(url: URL, caller: PromptCaller, deadline: Deadline): Promise<KnownSite> {
    using own = deadline.child(SITE_MS);
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
    using deadline = Deadline.start(WHOLE_MS, caller.signal);
    const site =
      prompt.trim() === ""
        ? { start: url, urls: [], checked: true }
        : await readSite(url, caller, deadline);
    return await propose({ prompt, site, model: models.role("fast"), deadline, now: now() });
  };
}
