// Was the certificate of the page good? A browser that does not verify it says so nowhere but in the state of the connection.
import type { CDPSession } from "playwright-core";
import type { Deadline } from "../../deadline.ts";

type Received = {
  readonly type: string;
  readonly response: { readonly url: string; readonly securityState: string };
};

/**
 * To be called before the page is opened; what it gives, once its document has come. Warnings, in the words of plain HTTP.
 */
export async function watchCertificate(
  session: CDPSession,
  deadline: Deadline,
): Promise<() => Promise<string[]>> {
  let isBad = false;
  const onReceived = ({ type, response }: Received): void => {
    if (type === "Document" && response.url.startsWith("https:"))
      isBad = response.securityState === "insecure";
  };
  session.on("Network.responseReceived", onReceived);
  await deadline.race(session.send("Network.enable", { maxTotalBufferSize: 0 }));
  return async () => {
    // Whatever it had to say has arrived with the answer; for the rest of the page it is silent.
    await deadline.race(session.send("Network.disable"));
    session.off("Network.responseReceived", onReceived);
    return isBad ? ["The site's TLS certificate is not valid; it was not verified."] : [];
  };
}
