// Handles pages that only start the download of a file: returns the file. Followed like a redirect
// with its rules, once a browser has shown that the page has no other content.
import type { VisitRequest } from "../browser/page/visit.ts";
import type { Capture } from "../capture.ts";
import type { Deadline } from "../deadline.ts";
import { classifyRedirect } from "../url/redirect.ts";
import type { Engine } from "./engine.ts";
import type { HttpFetch } from "./http.ts";
import { checkHeaders, filterHeadersForRedirect } from "./http-headers.ts";
import { hasFewWords } from "./http-viewer.ts";

/**
 * Returns the file that the page's script downloads; undefined for a page with content, or when
 * something was captured from it.
 */
export function downloadTarget(
  { actions, screenshot, probes = [] }: Pick<VisitRequest, "actions" | "screenshot" | "probes">,
  { download, html }: { readonly download: string | undefined; readonly html: string },
): URL | undefined {
  if (actions.length > 0 || screenshot !== undefined || probes.length > 0) return undefined;
  const target = download === undefined ? null : URL.parse(download);
  if (target === null || !/^https?:$/.test(target.protocol)) return undefined;
  return hasFewWords(html) ? target : undefined;
}

/**
 * Returns the file; undefined when it is forbidden or unavailable, or `isWanted` rejects it. The
 * page is then the result.
 */
export async function followDownload(
  http: Engine<HttpFetch>,
  request: HttpFetch,
  { page, target }: { readonly page: Capture; readonly target: URL },
  { deadline, isWanted }: { deadline: Deadline; isWanted: (file: Capture) => boolean },
): Promise<Capture | undefined> {
  const { mayRedirect } = request;
  if (mayRedirect !== undefined && !(await deadline.race(mayRedirect(target)))) return undefined;
  let { headers } = checkHeaders(request.headers ?? {});
  const way = [new URL(request.url), new URL(page.finalUrl), target] as const;
  headers = filterHeadersForRedirect(headers, classifyRedirect(way[0], way[1]));
  headers = filterHeadersForRedirect(headers, classifyRedirect(way[1], way[2]));
  const outcome = await http.fetch({ ...request, url: target.href, headers }, deadline);
  if (outcome.kind !== "captured" || !isWanted(outcome.capture)) return undefined;
  const { capture } = outcome;
  return { ...capture, redirects: [...page.redirects, page.finalUrl, ...capture.redirects] };
}
