// Sessions of the console: a key, or a one-time link of the operator, is exchanged for a secret
// that the browser stores in a cookie. Only its hash is stored. A session lasts as long as its key,
// so revoking the key ends it.
import { createHash, randomBytes } from "node:crypto";
import { RequestError } from "../errors.ts";
import type { ConsoleSessionStore } from "../store/accounts/console-sessions.ts";
import { hashKey, type Keyring } from "./keys.ts";
import type { Identity } from "./identity.ts";

export type ConsoleSession = {
  readonly identity: Identity;
  readonly expiresAt: number;
  /** Token that pages of this session send with every write. */
  readonly csrfToken: string;
};

export type StartedSession = ConsoleSession & { readonly secret: string };

export type ConsoleSessions = {
  /** Throws UNAUTHORIZED for a key that is unknown, expired or revoked. */
  startWithKey(key: string): Promise<StartedSession>;
  /** Throws UNAUTHORIZED for a link that was used or has expired. */
  startWithLink(token: string): Promise<StartedSession>;
  /** Undefined when the session or its key has ended. */
  resume(secret: string): Promise<ConsoleSession | undefined>;
  end(secret: string): Promise<void>;
  /** A token that signs the operator in, once. */
  createLink(): Promise<{ readonly token: string; readonly expiresAt: number }>;
};

type Parts = {
  readonly store: ConsoleSessionStore;
  readonly keyring: Pick<Keyring, "verifyHash" | "operator">;
  readonly lifeMs: number;
  readonly now?: () => number;
};

const LINK_TTL_MS = 10 * 60_000;
/** Delay, milliseconds, until other processes reject a session that was ended here. */
const CACHE_MS = 10_000;
const MAX_CACHED = 1_000;
const SECRET = /^[\w-]{43}$/;

const createSecret = (): string => randomBytes(32).toString("base64url");

/** Derived from the secret, which no script can read, so nothing more is stored. */
const deriveCsrfToken = (secret: string): string =>
  createHash("sha256").update(`csrf ${secret}`).digest("base64url");

export function createConsoleSessions(parts: Parts): ConsoleSessions {
  const { store, keyring, lifeMs, now = Date.now } = parts;
  const known = new Map<string, { keyHash: string | null; expiresAt: number; until: number }>();

  const identify = async (keyHash: string | null): Promise<Identity | undefined> =>
    keyHash === null ? await keyring.operator() : await keyring.verifyHash(keyHash);

  async function start(keyHash: string | null): Promise<StartedSession> {
    const identity = await identify(keyHash);
    if (identity === undefined)
      throw new RequestError("UNAUTHORIZED", "This key is unknown, expired or revoked.");
    const secret = createSecret();
    const at = now();
    const expiresAt = at + lifeMs;
    await store.insert({
      hash: hashKey(secret),
      kind: "session",
      keyHash,
      createdAt: at,
      expiresAt,
    });
    return { identity, expiresAt, secret, csrfToken: deriveCsrfToken(secret) };
  }

  async function find(
    hash: string,
  ): Promise<{ keyHash: string | null; expiresAt: number } | undefined> {
    const cached = known.get(hash);
    if (cached !== undefined && cached.until > now()) return cached;
    known.delete(hash);
    const found = await store.find(hash);
    if (found?.kind !== "session") return undefined;
    const { keyHash, expiresAt } = found;
    known.set(hash, { keyHash, expiresAt, until: now() + CACHE_MS });
    const oldest = known.keys().next();
    if (known.size > MAX_CACHED && oldest.done !== true) known.delete(oldest.value);
    return found;
  }

  return {
    startWithKey: (key) => start(hashKey(key)),
    async startWithLink(token) {
      const link = SECRET.test(token) ? await store.take(hashKey(token), "link") : undefined;
      if (link === undefined || link.expiresAt <= now())
        throw new RequestError(
          "UNAUTHORIZED",
          'This sign-in link was used or has expired. "quarry console" prints a new one.',
        );
      return await start(null);
    },
    async resume(secret) {
      if (!SECRET.test(secret)) return undefined;
      const session = await find(hashKey(secret));
      if (session === undefined || session.expiresAt <= now()) return undefined;
      const identity = await identify(session.keyHash);
      if (identity === undefined) return undefined;
      return { identity, expiresAt: session.expiresAt, csrfToken: deriveCsrfToken(secret) };
    },
    async end(secret) {
      const hash = hashKey(secret);
      known.delete(hash);
      await store.take(hash, "session");
    },
    async createLink() {
      const token = createSecret();
      const at = now();
      const expiresAt = at + LINK_TTL_MS;
      await store.insert({
        hash: hashKey(token),
        kind: "link",
        keyHash: null,
        createdAt: at,
        expiresAt,
      });
      return { token, expiresAt };
    },
  };
}
