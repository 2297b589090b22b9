// Reads a page from the data in its HTML in the place of the browser.
import type { Capture } from "../../capture.ts";
import type { ScrapeOptions } from "../../contract/page/scrape.ts";
import type { Plan } from "../../engines/plan.ts";
import { hasUserinfo } from "../../url/userinfo.ts";
import type { PageStates, Visitor } from "./page-states.ts";

type DataRequest = {
  readonly url: URL;
  readonly options: ScrapeOptions;
  readonly plan: Plan;
};

/** Formats made from more than what a reader sees. */
const NEEDS_WHOLE_PAGE: ReadonlySet<string> = new Set(["rawHtml", "attributes", "audio"]);

/**
 * Describes who the site sees; undefined for a request whose page must not be learned from or read
 * from data: a personal one, one that stores nothing, one with options of the browser.
 */
export function describeVisitor({ url, options, plan }: DataRequest): Visitor | undefined {
  const isPersonal = Object.keys(options.headers).length > 0 || hasUserinfo(url);
  if (isPersonal || options.zeroDataRetention || plan.needsBrowser.length > 0) return undefined;
  if (options.proxy === "enhanced") return undefined;
  if (options.formats.some(({ type }) => NEEDS_WHOLE_PAGE.has(type))) return undefined;
  const { location, blockAds, skipTlsVerification } = options;
  return JSON.stringify([location?.country, location?.languages, blockAds, skipTlsVerification]);
}

/** Returns the capture of the page as it would be rendered, or undefined if that is not certain. */
export function readFromData(
  pageStates: PageStates | undefined,
  plain: Capture,
  request: DataRequest,
): Capture | undefined {
  const visitor = pageStates === undefined ? undefined : describeVisitor(request);
  const found = visitor === undefined ? undefined : pageStates?.read(plain, visitor);
  if (found === undefined) return undefined;
  return {
    ...plain,
    body: found.body,
    contentType: "text/html; charset=utf-8",
    renderedBy: `the data in the page, in the template of ${found.renderedPages} rendered pages`,
  };
}
