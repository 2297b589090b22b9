// Which requests become WebSockets: those for the status address of a job, for the pictures of a live session and for its
// DevTools. Needed before the service is loaded, so nothing is imported here.
import type { IncomingMessage } from "node:http";
import type { WatchTarget } from "./watch.ts";

const WATCH = /^\/(v[12])\/(crawl|batch\/scrape)\/([^/?#]+)\/?(?:[?#]|$)/;
const LIVE = /^\/(?:live\/([\w-]{43})\/screen|cdp\/([\w-]{43}))\/?(?:[?#]|$)/;

/** The job whose status address this is. Under /v1 clients watch batches on the crawl's address, too. */
export function findWatchTarget(url: string | undefined): WatchTarget | undefined {
  const [, version, path, id] = WATCH.exec(url ?? "") ?? [];
  if (id === undefined) return undefined;
  if (path !== "crawl") return { id, kinds: ["batch_scrape"] };
  return { id, kinds: version === "v1" ? ["crawl", "batch_scrape"] : ["crawl"] };
}

type LiveTarget = { readonly token: string; readonly devTools: boolean };

/** The session of which this address shows pictures or hands out the DevTools. */
export function findLiveTarget(url: string | undefined): LiveTarget | undefined {
  const [, screen, devTools] = LIVE.exec(url ?? "") ?? [];
  const token = screen ?? devTools;
  return token === undefined ? undefined : { token, devTools: devTools !== undefined };
}

/**
 * For `http.createServer`: anything else that asks for an upgrade, such as a client that offers HTTP/2 with every request,
 * is answered as if it had not asked.
 */
export function isUpgrade({ method, headers, url }: IncomingMessage): boolean {
  return (
    method === "GET" &&
    headers.upgrade?.toLowerCase() === "websocket" &&
    (findWatchTarget(url) !== undefined || findLiveTarget(url) !== undefined)
  );
}
