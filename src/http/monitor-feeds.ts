// The Atom feeds of monitors. A feed is readable with its secret address alone, because feed
// readers send no key.
import type { FastifyInstance } from "fastify";
import { RequestError } from "../errors.ts";
import type { Monitors } from "../monitors/monitors.ts";
import type { PublicAddress } from "./public-address.ts";

export const FEED_PATH = "/feeds/monitor";

type Params = { readonly token: string };

export function serveMonitorFeeds(
  server: FastifyInstance,
  { monitors, address }: { readonly monitors: Monitors; readonly address: PublicAddress },
): void {
  server.get<{ Params: Params }>(`${FEED_PATH}/:token`, async (request, reply) => {
    const { token } = request.params;
    const feed = await monitors.feed(token, address(request, `${FEED_PATH}/${token}`));
    if (feed === undefined) throw new RequestError("NOT_FOUND", "Feed not found");
    return await reply
      .header("content-type", "application/atom+xml; charset=utf-8")
      .header("cache-control", "private, max-age=60")
      .header("x-content-type-options", "nosniff")
      .header("content-security-policy", "default-src 'none'; sandbox")
      .header("referrer-policy", "no-referrer")
      .send(feed);
  });
}
