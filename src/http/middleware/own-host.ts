// DNS rebinding: a page of a stranger's domain whose name resolves to this server is of the same
// origin as the server in the browser's eyes. Only its Host tells them apart. Strangers can register
// public names only, so addresses, names without a dot and private zones are accepted as they are.
import { isIP } from "node:net";
import { RequestError } from "../../errors.ts";

/** RFC 6761, 6762 and 8375, ICANN's reserved .internal, and .lan, which no registry sells. */
const PRIVATE_ZONE = /\.(?:localhost|local|internal|home\.arpa|test|lan)$/;

const MAX_SHOWN = 200;

/** Returns whether this Host is a public name other than that of the server's public URL. */
export function isForeignHost(host: string | undefined, publicUrl: string | undefined): boolean {
  const name = readName(`http://${host ?? ""}`);
  if (name === undefined) return true;
  if (isIP(name) !== 0 || !name.includes(".") || PRIVATE_ZONE.test(name)) return false;
  return publicUrl === undefined || name !== readName(publicUrl);
}

/** Throws FORBIDDEN for a public name that is not the server's; `what` is what it does not do. */
export function assertOwnHost(
  host: string | undefined,
  publicUrl: string | undefined,
  what: string,
): void {
  if (!isForeignHost(host, publicUrl)) return;
  throw new RequestError(
    "FORBIDDEN",
    `${what} under the name "${(host ?? "").slice(0, MAX_SHOWN)}", because a stranger's page could use such a name (DNS rebinding). If it is this server's name, start the server with QUARRY_PUBLIC_URL set to its address, such as https://quarry.example.com.`,
  );
}

/**
 * True for the origin that a request was sent to, by its Host, and for that of the public URL. The
 * scheme is not compared with the request's: a proxy may end TLS.
 */
export function isOwnOrigin(origin: string, host: string, publicUrl?: string): boolean {
  const url = URL.parse(origin);
  if (url === null || !/^https?:$/.test(url.protocol)) return false;
  if (publicUrl !== undefined && url.origin === URL.parse(publicUrl)?.origin) return true;
  return url.host === URL.parse(`${url.protocol}//${host}`)?.host;
}

function readName(url: string): string | undefined {
  const parsed = URL.parse(url);
  if (parsed === null || parsed.hostname === "") return undefined;
  return parsed.hostname.replace(/^\[(.*)\]$/, "$1").replace(/\.$/, "");
}
