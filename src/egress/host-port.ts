import { RequestError } from "../errors.ts";

export type HostPort = { readonly hostname: string; readonly port: number };

/** Parses "host", "host:port" or a URL; the port defaults to the scheme's, 80 without one. */
export function parseHostPort(target: string): HostPort {
  const url = URL.parse(target.includes("://") ? target : `http://${target}`);
  if (url === null || target === "")
    throw new RequestError("BAD_REQUEST", `"${target}" is not a host, host:port or URL.`);
  const standard = url.protocol === "https:" ? 443 : 80;
  return { hostname: url.hostname, port: url.port === "" ? standard : Number(url.port) };
}
