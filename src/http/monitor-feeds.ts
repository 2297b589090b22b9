// The feeds of monitors: Atom at the secret address, RSS with the suffix `.rss`. A feed is readable
// with its address alone, because feed readers send no key.
import type { FastifyInstance } from "fastify";
import { RequestError } from "../errors.ts";
import { FEED_TYPES } from "../feeds/write-feed.ts";
import type { Monitors } from "../monitors/monitors.ts";
import type { PublicAddress } from "./public-address.ts";

export const FEED_PATH = "/feeds/monitor";

type Params = { readonly token: string };

/** Tokens have no dot. */
const RSS = /\.rss$/;

export function serveMonitorFeeds(
  server: FastifyInstance,
  { monitors, address }: { readonly monitors: Monitors; readonly address: PublicAddress },
): void {
  server.get<{ Params: Params }>(`${FEED_PATH}/:token`, async (request, reply) => {
    const { token } = request.params;
    const kind = RSS.test(token) ? "rss" : "atom";
    const feed = await monitors.feed(token.replace(RSS, ""), {
      kind,
      url: address(request, `${FEED_PATH}/${token}`),
      siteUrl: address(request, "/"),
      readAt: Date.now(),
    });
    if (feed === undefined) throw new RequestError("NOT_FOUND", "Feed not found");
    return await reply
      .header("content-type", FEED_TYPES[kind])
      .header("cache-control", "private, max-age=60")
      .header("x-content-type-options", "nosniff")
      .header("content-security-policy", "default-src 'none'; sandbox")
      .header("referrer-policy", "no-referrer")
      .send(feed);
  });
}
