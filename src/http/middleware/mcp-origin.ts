// Web pages may call /mcp only from the server's own origin or a listed one, also with a key: the
// transport's specification asks for it against DNS rebinding, whose pages have the name of their
// own host. So Host is checked first, also for listed origins: a GET of a rebound page has no Origin.
import type { IncomingHttpHeaders } from "node:http";
import type { Config } from "../../config.ts";
import { RequestError } from "../../errors.ts";
import { assertOwnHost, isOwnOrigin } from "./own-host.ts";

type OriginSettings = Pick<Config, "publicUrl" | "mcpOrigins">;

const MAX_SHOWN = 200;

/**
 * Throws FORBIDDEN for a page of a foreign origin, and under a public name that is not the server's.
 * Programs that are no browsers send no Origin.
 */
export function checkMcpOrigin(
  { host = "", origin }: IncomingHttpHeaders,
  { publicUrl, mcpOrigins }: OriginSettings,
): void {
  assertOwnHost(host, publicUrl, "/mcp does not answer");
  if (origin === undefined || isOwnOrigin(origin, host, publicUrl)) return;
  if (mcpOrigins.some((listed) => listed === "*" || isSame(origin, listed))) return;
  throw new RequestError(
    "FORBIDDEN",
    `Web pages of ${origin.slice(0, MAX_SHOWN)} may not call /mcp: the server's own origin may, and those of QUARRY_MCP_ORIGINS. Set QUARRY_PUBLIC_URL if this is the server's own address.`,
  );
}

/** Compares origins; those of schemes without one, such as vscode-file, as they are written. */
function isSame(origin: string, listed: string): boolean {
  const own = URL.parse(listed)?.origin;
  return own === undefined || own === "null"
    ? origin.toLowerCase() === listed.toLowerCase()
    : URL.parse(origin)?.origin === own;
}
