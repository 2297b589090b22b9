// The console over HTTP: its document at / and /console/…, and its files. Everything is loaded with
// the first request.
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { AssetCache } from "../../console/built-assets.ts";
import type { Shell } from "../../console/shell.ts";
import { RequestError } from "../../errors.ts";
import { sendCompressed } from "../compress.ts";
import { createLazy } from "../../runtime/lazy.ts";
import type { IdentifySession } from "./identify-session.ts";
import { describeSession, type SessionRoutes } from "./serve-sessions.ts";
import { readCookie } from "./session-cookie.ts";

export type ConsoleRoutes = Pick<SessionRoutes, "auth" | "version"> & {
  readonly identify: IdentifySession;
  readonly assetCache: AssetCache;
};

const THEME_COOKIE = "quarry_theme";
const RAIL_COOKIE = "quarry_rail";
const YEAR_SECONDS = 31_536_000;

export function serveConsole(server: FastifyInstance, parts: ConsoleRoutes): void {
  const console = createLazy(async () => {
    const [{ createConsoleAssets }, { buildShell, buildFrame, ICON }] = await Promise.all([
      import("../../console/assets.ts"),
      import("../../console/shell.ts"),
    ]);
    return { assets: createConsoleAssets(parts.assetCache), buildShell, buildFrame, ICON };
  });

  async function sendShell(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const [{ assets, buildShell }, signedIn] = await Promise.all([
      console(),
      parts.identify(request),
    ]);
    const session = describeSession(signedIn, parts);
    const chosen = readCookie(request.headers.cookie, THEME_COOKIE);
    const theme = chosen === "light" || chosen === "dark" ? chosen : undefined;
    const isNarrow = readCookie(request.headers.cookie, RAIL_COOKIE) === "narrow";
    const [path = "/"] = request.url.split("?");
    const shell = await buildShell({ assets: assets.getCurrent(), session, theme, isNarrow, path });
    // It has a secret, but nothing that a stranger chooses, so its size tells nothing.
    reply.header("x-frame-options", "DENY");
    return await sendDocument(request, reply, shell);
  }

  server.get("/", async (request, reply) => {
    if (wantsJson(request))
      return await reply.send({ name: "Quarry", version: parts.version, docs: "/docs" });
    return await sendShell(request, reply);
  });
  server.get("/console", async (_request, reply) => reply.redirect("/"));
  server.get("/console/*", async (request, reply) => {
    // Screens have no dot in their last part; a missing file gets a 404.
    if (/\.[^/]*$/.test(request.url.split("?")[0] ?? ""))
      throw new RequestError("NOT_FOUND", "The console has no such file.");
    return await sendShell(request, reply);
  });

  server.get("/console/frame", async (request, reply) => {
    const { assets, buildFrame } = await console();
    return await sendDocument(request, reply, await buildFrame(assets.getCurrent()));
  });
  server.get("/console/icon.svg", async (_request, reply) => {
    const { ICON } = await console();
    return reply
      .headers({ "content-type": "image/svg+xml", "cache-control": `max-age=${YEAR_SECONDS}` })
      .send(ICON);
  });
  for (const folder of ["app", "lib"])
    server.get(`/console/${folder}/*`, async (request, reply) => {
      const { assets } = await console();
      const [url = "", query = ""] = request.url.split("?");
      const version = new URLSearchParams(query).get("v");
      const asset = await assets.load(url, version);
      if (asset === undefined)
        throw new RequestError("NOT_FOUND", "The console has no such file; reload the page.");
      const isCurrent = version === asset.version;
      const zipped = /\bgzip\b/.test(request.headers["accept-encoding"] ?? "");
      return reply
        .headers({
          "content-type": asset.type,
          "cache-control": isCurrent ? `max-age=${YEAR_SECONDS}, immutable` : "no-cache",
          "x-content-type-options": "nosniff",
          "cross-origin-resource-policy": "same-origin",
          vary: "accept-encoding",
          ...(zipped && { "content-encoding": "gzip" }),
        })
        .send(Buffer.from(zipped ? asset.gzip : await asset.readBody()));
    });
}

async function sendDocument(
  request: FastifyRequest,
  reply: FastifyReply,
  { html, policy }: Shell,
): Promise<FastifyReply> {
  reply.headers({
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": policy,
    "cache-control": "no-store",
    "referrer-policy": "same-origin",
    "x-content-type-options": "nosniff",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
  });
  return await sendCompressed(request, reply, html);
}

/** Programs that accept JSON get JSON; browsers name text/html first. */
function wantsJson({ headers }: FastifyRequest): boolean {
  const accept = headers.accept ?? "";
  return accept.includes("application/json") && !accept.includes("text/html");
}
