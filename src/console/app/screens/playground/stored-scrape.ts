// An earlier scrape of the account: its request as options of the form, and its result.
import type { StoredRequestResponse } from "../../../../contract/page/stored-request.ts";
import { call } from "../../data/api.ts";
import { loadBodySchema } from "../../data/contract.ts";
import { selectGivenOptions } from "./given-options.ts";
import type { Options } from "./modes.ts";
import type { Explanation, ScrapeAnswer } from "./scrape-answer.ts";

export type StoredScrape = {
  readonly url: string;
  readonly options: Options;
  /** Paths of the secrets that are left out. */
  readonly omitted: readonly string[];
  readonly answer: ScrapeAnswer;
};

export async function loadStoredScrape(id: string, signal: AbortSignal): Promise<StoredScrape> {
  const path = `/v2/scrape/${encodeURIComponent(id)}`;
  const [answer, request, schema] = await Promise.all([
    call<ScrapeAnswer>("GET", path, { signal }),
    call<StoredRequestResponse>("GET", `${path}/request`, { signal }),
    loadBodySchema("/v2/scrape"),
  ]);
  const { url, headerNames, options, omitted = [], explanation } = request;
  const { actions, skipTlsVerification, ...others } = options;
  const isPersonal = headerNames.length > 0 || (Array.isArray(actions) && actions.length > 0);
  // Its default is false with headers or actions.
  const chosen = skipTlsVerification === !isPersonal ? { ...others, actions } : options;
  return {
    url,
    omitted: [...headerNames.map((name) => `headers.${name}`), ...omitted],
    options: selectGivenOptions(chosen, schema),
    answer: { ...answer, ...(explanation && { explanation: explanation as Explanation }) },
  };
}
