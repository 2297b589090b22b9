// Decides which requests become WebSockets: for the status URL of a job, the pictures of a live
// session, and its DevTools. Needed before the service is loaded, so it imports nothing.
import type { IncomingMessage } from "node:http";
import type { WatchTarget } from "./watch.ts";

const WATCH = /^\/(v[12])\/(crawl|batch\/scrape)\/([^/?#]+)\/?(?:[?#]|$)/;
const LIVE = /^\/(?:live\/([\w-]{43})\/screen|cdp\/([\w-]{43}))\/?(?:[?#]|$)/;
const SCREEN = /^\/live\/screen\/?(?:[?#]|$)/;
const PROTOCOLS = /^quarry-screen,\s*([\w-]{43})$/;

/** Name of the protocol that also reports tabs, steps and errors, as JSON. */
export const SCREEN_PROTOCOL = "quarry-screen";

/** Returns the job of a status URL. Under /v1 clients watch batches on the crawl's URL too. */
export function findWatchTarget(url: string | undefined): WatchTarget | undefined {
  const [, version, path, id] = WATCH.exec(url ?? "") ?? [];
  if (id === undefined) return undefined;
  if (path !== "crawl") return { id, kinds: ["batch_scrape"] };
  return { id, kinds: version === "v1" ? ["crawl", "batch_scrape"] : ["crawl"] };
}

type LiveTarget = { readonly token: string; readonly devTools: boolean };
type UpgradeRequest = Pick<IncomingMessage, "url" | "headers">;

/**
 * Returns the session of a pictures or DevTools URL. The token may also be the second protocol, so
 * that it is in no URL.
 */
export function findLiveTarget({ url = "", headers }: UpgradeRequest): LiveTarget | undefined {
  const protocols = headers["sec-websocket-protocol"]?.trim() ?? "";
  const [, screen, devTools] = SCREEN.test(url)
    ? (PROTOCOLS.exec(protocols) ?? [])
    : (LIVE.exec(url) ?? []);
  const token = screen ?? devTools;
  return token === undefined ? undefined : { token, devTools: devTools !== undefined };
}

/**
 * Decides for `http.createServer` whether a request is a WebSocket upgrade. Other upgrade requests,
 * such as HTTP/2 offers, are answered as plain requests.
 */
export function isUpgrade(request: IncomingMessage): boolean {
  const { method, headers, url } = request;
  return (
    method === "GET" &&
    headers.upgrade?.toLowerCase() === "websocket" &&
    (findWatchTarget(url) !== undefined || findLiveTarget(request) !== undefined)
  );
}
