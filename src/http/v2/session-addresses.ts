// URLs to watch and control a live session, with a token in place of a key.
import type { FastifyRequest } from "fastify";
import type { LiveSession } from "../../interact/session.ts";
import type { PublicAddress } from "../public-address.ts";

export type SessionAddresses = {
  readonly cdpUrl: string;
  readonly liveViewUrl: string;
  readonly interactiveLiveViewUrl: string;
};

/** Returns empty strings where there is no such URL, because clients expect strings. */
export function buildAddresses(
  session: LiveSession | undefined,
  request: FastifyRequest,
  { address, cdp }: { readonly address: PublicAddress; readonly cdp: boolean },
): SessionAddresses {
  if (session === undefined || session.ended)
    return { cdpUrl: "", liveViewUrl: "", interactiveLiveViewUrl: "" };
  const { tokens, facts } = session;
  const view = (token: string): string =>
    facts.streamWebView ? address(request, `/live/${token}`) : "";
  return {
    cdpUrl: cdp ? address(request, `/cdp/${tokens.cdp}`).replace(/^http/, "ws") : "",
    liveViewUrl: view(tokens.view),
    interactiveLiveViewUrl: view(tokens.control),
  };
}
