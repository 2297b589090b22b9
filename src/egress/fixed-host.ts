import { isLocalhostName, parseHost } from "../url/host.ts";
import type { Egress } from "./dispatchers.ts";

/**
 * Rejects, as UNSUPPORTED_SITE, a URL whose host is a forbidden address or local name, because
 * nothing can change that later. Other names are checked at each connection.
 */
export async function checkFixedHost(
  { hostname, port, protocol }: URL,
  egress: Pick<Egress, "check">,
): Promise<void> {
  const host = parseHost(hostname);
  if (host?.kind === "name" && !isLocalhostName(host.name)) return;
  await egress.check(hostname, Number(port) || (protocol === "https:" ? 443 : 80));
}
