import type { Config } from "../config.ts";
import type { HttpServer } from "./server.ts";

/** Where a program on this machine reaches the server: a wildcard address is no address to call. */
export function reachableUrl(server: HttpServer, config: Pick<Config, "host" | "port">): string {
  const host =
    config.host === "0.0.0.0"
      ? "127.0.0.1"
      : config.host === "::"
        ? "[::1]"
        : config.host.includes(":")
          ? `[${config.host}]`
          : config.host;
  return `http://${host}:${portOf(server, config)}`;
}

/** The port it listens on, or will. */
export function portOf(server: HttpServer, config: Pick<Config, "host" | "port">): number {
  const address = server.server.address();
  return address !== null && typeof address === "object" ? address.port : config.port;
}
