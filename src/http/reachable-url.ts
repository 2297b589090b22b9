import type { AddressInfo } from "node:net";
import type { Config } from "../config.ts";

type Listener = { readonly server: { address(): AddressInfo | string | null } };
type Place = Pick<Config, "host" | "port">;

/** The configured listening address as a base URL. */
export function buildListeningUrl(listener: Listener, config: Place): string {
  return `http://${bracketHost(config.host)}:${findPort(listener, config)}`;
}

/** URL of the server for programs on this machine; a wildcard address cannot be called. */
export function buildReachableUrl(listener: Listener, config: Place): string {
  const host =
    config.host === "0.0.0.0"
      ? "127.0.0.1"
      : config.host === "::"
        ? "[::1]"
        : bracketHost(config.host);
  return `http://${host}:${findPort(listener, config)}`;
}

const bracketHost = (host: string): string => (host.includes(":") ? `[${host}]` : host);

/** The port it listens on, or will listen on. */
export function findPort({ server }: Listener, config: Place): number {
  const address = server.address();
  return address !== null && typeof address === "object" ? address.port : config.port;
}
