// Intercepts a page's requests: sends the caller's headers only to the origin they were given for,
// not to other hosts and not along a redirect, and blocks what block lists match.
import type { CDPSession } from "playwright-core";
import type { Deadline } from "../../deadline.ts";
import { withOriginHeaders } from "../../url/origin-headers.ts";
import type { AdRules } from "./ad-lists.ts";

type PausedRequest = {
  readonly requestId: string;
  readonly frameId: string;
  readonly resourceType: string;
  readonly request: { readonly url: string; readonly headers: Record<string, string> };
};

export type Interception = {
  /** Added to every request to the origin of `url`; names in lower case. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly adRules?: AdRules | undefined;
};

/** Without headers and rules no request is intercepted, which would cost a round trip each. */
export async function interceptRequests(
  session: CDPSession,
  { url, headers, adRules }: Interception,
  deadline: Deadline,
): Promise<void> {
  const names = Object.keys(headers);
  if (names.length === 0 && adRules === undefined) return;
  const { origin } = new URL(url);
  const { frameTree } = await deadline.race(session.send("Page.getFrameTree"));
  let pageUrl = url;
  session.on("Fetch.requestPaused", (paused: PausedRequest) => {
    const { requestId, frameId, resourceType: kind, request } = paused;
    const isPage = kind === "Document" && frameId === frameTree.frame.id;
    if (isPage) pageUrl = request.url;
    const answer =
      !isPage && adRules?.blocks({ url: request.url, kind, pageUrl }) === true
        ? session.send("Fetch.failRequest", { requestId, errorReason: "BlockedByClient" })
        : session.send("Fetch.continueRequest", {
            requestId,
            ...(names.length === 0 ? {} : { headers: withOriginHeaders(request, headers, origin) }),
          });
    answer.catch(() => undefined);
  });
  await deadline.race(session.send("Fetch.enable", { patterns: [{ urlPattern: "*" }] }));
}
