// Creates the console: sessions, their routes and, if enabled, its pages.
import type { FastifyInstance, FastifyRequest } from "fastify";
import { createConsoleSessions } from "../../account/console-sessions.ts";
import type { Identity } from "../../account/identity.ts";
import type { Keyring } from "../../account/keys.ts";
import type { Config } from "../../config.ts";
import { createLazy } from "../../runtime/lazy.ts";
import { createConsoleAssetCache } from "../../store/console-assets.ts";
import type { Store } from "../../store/store.ts";
import { VERSION } from "../../version.ts";
import { createIdentifySession } from "./identify-session.ts";
import { serveConsole } from "./serve-console.ts";
import { serveSessions, buildSignInPath } from "./serve-sessions.ts";
import { createSessionCookie } from "./session-cookie.ts";

export type ConsoleParts = {
  readonly store: () => Promise<Pick<Store, "consoleSessions">>;
  readonly keyring: () => Promise<Keyring>;
  readonly adminToken: string;
};

export type Console = {
  /** Resolves the identity of a request's cookie; undefined without one. */
  readonly identify: (request: FastifyRequest) => Promise<Identity | undefined>;
  readonly serve: (server: FastifyInstance) => void;
  /** Creates an address that signs the operator in once; `url` is the address of this server. */
  readonly createSignInLink: (url: string) => Promise<string>;
};

const HOUR_MS = 3_600_000;

/** Undefined if the settings disable it. */
export function createConsole(config: Config, parts: ConsoleParts): Console | undefined {
  if (!config.console) return undefined;
  const sessions = createLazy(async () =>
    createConsoleSessions({
      store: (await parts.store()).consoleSessions,
      keyring: await parts.keyring(),
      lifeMs: config.consoleSessionHours * HOUR_MS,
    }),
  );
  const { publicUrl } = config;
  const cookie = createSessionCookie(config.port);
  const identify = createIdentifySession(sessions, cookie, publicUrl);
  const { adminToken } = parts;
  const view = { identify, auth: config.auth, version: VERSION };
  return {
    identify: async (request) => (await identify(request))?.identity,
    serve(server) {
      serveSessions(server, { ...view, sessions, cookie, adminToken, publicUrl });
      serveConsole(server, { ...view, assetCache: createConsoleAssetCache(config) });
    },
    async createSignInLink(url) {
      const { token } = await (await sessions()).createLink();
      return `${publicUrl ?? url}${buildSignInPath(token)}`;
    },
  };
}
