// The caller's headers go to the origin they were given for and nowhere else: not to other hosts that the page asks for
// images and scripts, and not along a redirect.
import type { CDPSession } from "playwright-core";
import type { Deadline } from "../deadline.ts";

type Paused = {
  readonly requestId: string;
  readonly request: { readonly url: string; readonly headers: Record<string, string> };
};

/**
 * Adds `headers` (names in lower case) to every request to the origin of `url`. Without headers no request is stopped, which
 * would cost each of them a round trip.
 */
export async function sendHeaders(
  session: CDPSession,
  url: string,
  headers: Readonly<Record<string, string>>,
  deadline: Deadline,
): Promise<void> {
  if (Object.keys(headers).length === 0) return;
  const { origin } = new URL(url);
  session.on("Fetch.requestPaused", (paused: Paused) => {
    const own = URL.parse(paused.request.url)?.origin === origin;
    // Elsewhere only what a redirect carried along is taken out again.
    const kept = Object.entries(paused.request.headers).filter(([name, value]) => {
      const given = headers[name.toLowerCase()];
      return given === undefined || (!own && given !== value);
    });
    const list = [...kept, ...(own ? Object.entries(headers) : [])];
    session
      .send("Fetch.continueRequest", {
        requestId: paused.requestId,
        headers: list.map(([name, value]) => ({ name, value })),
      })
      .catch(() => undefined);
  });
  await deadline.race(session.send("Fetch.enable", { patterns: [{ urlPattern: "*" }] }));
}
