import { isLocalhostName, parseHost } from "../url/host.ts";
import type { Egress } from "./dispatchers.ts";

/**
 * Refuses, as UNSUPPORTED_SITE, a URL whose host is an address or a name of this machine that may not be reached: nothing can
 * change that later. Other names are judged at each connection, as what they lead to can change.
 */
export async function checkFixedHost(
  { hostname, port, protocol }: URL,
  egress: Pick<Egress, "check">,
): Promise<void> {
  const host = parseHost(hostname);
  if (host?.kind === "name" && !isLocalhostName(host.name)) return;
  await egress.check(hostname, Number(port) || (protocol === "https:" ? 443 : 80));
}
