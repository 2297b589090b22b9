// Checks the page's certificate. A browser with disabled verification reports errors only in the
// connection's security state.
import type { CDPSession } from "playwright-core";
import type { Deadline } from "../../deadline.ts";

type ReceivedCertificate = {
  readonly type: string;
  readonly response: { readonly url: string; readonly securityState: string };
};

/**
 * Call before opening the page, and the returned function after its document has arrived. Returns
 * the same warnings as plain HTTP.
 */
export async function watchCertificate(
  session: CDPSession,
  deadline: Deadline,
): Promise<() => Promise<string[]>> {
  let isBad = false;
  const onReceived = ({ type, response }: ReceivedCertificate): void => {
    if (type === "Document" && response.url.startsWith("https:"))
      isBad = response.securityState === "insecure";
  };
  session.on("Network.responseReceived", onReceived);
  await deadline.race(session.send("Network.enable", { maxTotalBufferSize: 0 }));
  return async () => {
    // Everything relevant has arrived with the response, so the events are turned off.
    await deadline.race(session.send("Network.disable"));
    session.off("Network.responseReceived", onReceived);
    return isBad ? ["The site's TLS certificate is not valid; it was not verified."] : [];
  };
}
