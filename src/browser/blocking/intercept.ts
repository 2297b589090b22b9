// Intercepts a page's requests: sends the caller's headers only to the origin they were given for,
// not to other hosts and not along a redirect, blocks what block lists match, and withholds what
// brings no text.
import type { BlockedKind } from "../../capture.ts";
import type { Deadline } from "../../deadline.ts";
import type { PageWorld } from "../page/page-world.ts";
import { withOriginHeaders } from "../../url/origin-headers.ts";
import type { AdRules } from "./ad-lists.ts";
import type { BlockedRequests } from "./blocked-requests.ts";
import { EMPTY_FONT, PICTURE, type StandIn } from "./stand-ins.ts";

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
  /** Fetches no pictures, media and fonts, which bring no text. */
  readonly isTextOnly?: boolean | undefined;
  /** The session serves other URLs later, so nothing is intercepted after this one. */
  readonly isShared?: boolean;
};

/** How requests that bring no text are answered, by resource type of the DevTools protocol. */
const WITHHELD = {
  Image: { kind: "image", answer: PICTURE },
  Font: { kind: "font", answer: EMPTY_FONT },
  // A player shows an error if its file fails, so the request is held until the page was read.
  Media: { kind: "media", answer: "hold" },
  CSPViolationReport: { kind: "beacon", answer: "fail" },
  Ping: { kind: "beacon", answer: "fail" },
} as const satisfies Readonly<
  Record<string, { kind: BlockedKind; answer: StandIn | "hold" | "fail" }>
>;

type Withheld = (typeof WITHHELD)[keyof typeof WITHHELD];

const findWithheld = (resourceType: string): Withheld | undefined =>
  Object.hasOwn(WITHHELD, resourceType)
    ? WITHHELD[resourceType as keyof typeof WITHHELD]
    : undefined;

/**
 * Active until disposed, or until the session ends. Only requests that may be answered are paused,
 * because each costs a round trip.
 */
export async function interceptRequests(
  world: PageWorld,
  { url, headers, adRules, isTextOnly = false, isShared = false }: Interception,
  blocked: BlockedRequests,
  deadline: Deadline,
): Promise<AsyncDisposable> {
  const { session } = world;
  const names = Object.keys(headers);
  const seesAll = names.length > 0 || adRules !== undefined;
  const held: string[] = [];
  const refuse = (requestId: string): Promise<unknown> =>
    session.send("Fetch.failRequest", { requestId, errorReason: "BlockedByClient" });
  const release = async (): Promise<void> => {
    await Promise.allSettled(held.splice(0).map(refuse));
  };
  if (!seesAll && !isTextOnly) return { [Symbol.asyncDispose]: release };
  const { origin } = new URL(url);
  const mainFrameId = await world.getFrameId(deadline);
  let pageUrl = url;

  const withhold = ({ requestId, request }: PausedRequest, { kind, answer }: Withheld) => {
    blocked.add(kind, request.url);
    if (answer === "fail") return refuse(requestId);
    if (answer === "hold") return held.push(requestId);
    const { contentType, base64 } = answer;
    return session.send("Fetch.fulfillRequest", {
      requestId,
      responseCode: 200,
      responseHeaders: describeStandIn(contentType, request.headers),
      body: base64,
    });
  };
  const answer = async (paused: PausedRequest): Promise<unknown> => {
    const { requestId, frameId, resourceType: kind, request } = paused;
    const isPage = kind === "Document" && frameId === mainFrameId;
    if (isPage) pageUrl = request.url;
    const withheld = isTextOnly && !isInline(request.url) ? findWithheld(kind) : undefined;
    if (withheld !== undefined) return await withhold(paused, withheld);
    if (!isPage && adRules?.blocks({ url: request.url, kind, pageUrl }) === true) {
      blocked.add("tracker", request.url);
      return await refuse(requestId);
    }
    return await session.send("Fetch.continueRequest", {
      requestId,
      ...(names.length === 0 ? {} : { headers: withOriginHeaders(request, headers, origin) }),
    });
  };
  const onPaused = (paused: PausedRequest): void => {
    answer(paused).catch(() => undefined);
  };
  session.on("Fetch.requestPaused", onPaused);
  const types = Object.keys(WITHHELD) as (keyof typeof WITHHELD)[];
  const patterns = seesAll
    ? [{ urlPattern: "*" }]
    : types.map((resourceType) => ({ urlPattern: "http*", resourceType }));
  await deadline.race(session.send("Fetch.enable", { patterns }));
  return {
    [Symbol.asyncDispose]: async () => {
      await release();
      if (!isShared) return;
      session.off("Fetch.requestPaused", onPaused);
      await session.send("Fetch.disable").catch(() => undefined);
    },
  };
}

const isInline = (address: string): boolean => !/^https?:/.test(address);

/** A picture or font that is read across origins needs a permission (Fetch standard, 3.2). */
function describeStandIn(
  contentType: string,
  headers: PausedRequest["request"]["headers"],
): { name: string; value: string }[] {
  const origin = headers["Origin"] ?? headers["origin"];
  return [
    { name: "content-type", value: contentType },
    { name: "access-control-allow-origin", value: origin ?? "*" },
    ...(origin === undefined ? [] : [{ name: "access-control-allow-credentials", value: "true" }]),
    { name: "timing-allow-origin", value: "*" },
  ];
}
