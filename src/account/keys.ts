// API keys. A key is shown once, when it is created; afterwards only its SHA-256 hash exists. Keys
// have 256 random bits, so a fast hash is safe.
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { Secret } from "../settings/secret.ts";
import { RequestError } from "../errors.ts";
import { DEFAULT_SCOPES, SCOPES, type Scope } from "../contract/account/scopes.ts";
import {
  createRowId,
  type AccountRecord,
  type KeyLimits,
  type KeyRecord,
  type KeyStore,
} from "../store/accounts/accounts.ts";
import type { LedgerStore } from "../store/accounts/ledger.ts";
import type { Accounts } from "./accounts.ts";
import { grantBudget } from "./grant-budget.ts";
import {
  ANONYMOUS_KEY_ID,
  OPERATOR_KEY_ID,
  START_KEY_ID,
  UNLIMITED,
  type Identity,
} from "./identity.ts";

export type NewKey = {
  readonly name: string;
  /** Name or id; default: the first account. */
  readonly account?: string | undefined;
  readonly limits?: Partial<KeyLimits>;
  readonly scopes?: readonly Scope[];
  /** Null allows any host. */
  readonly allowHosts?: readonly string[] | null;
  /** Milliseconds since the epoch; null means never. */
  readonly expiresAt?: number | null;
};

/** The key is returned only here: show it and do not store it. */
export type CreatedKey = { readonly key: string; readonly record: KeyRecord };

/** File that stores the first key for the operator. */
export type FirstKeyFile = {
  load(): Promise<string | undefined>;
  save(key: string): Promise<void>;
};

export type Keyring = {
  /**
   * Returns the identity of `token`; undefined when it is unknown, expired or revoked. Records the
   * use. Throws FORBIDDEN when the account is disabled.
   */
  verify(token: string): Promise<Identity | undefined>;
  /** Like `verify`, for a key whose hash was kept (`hashKey`). */
  verifyHash(hash: string): Promise<Identity | undefined>;
  /** The identity of all callers without authentication. */
  anonymous(): Promise<Identity>;
  /** The identity of the server's operator, with every scope. */
  operator(): Promise<Identity>;
  /** Throws CONFLICT when an active key of the account has the name. */
  create(key: NewKey): Promise<CreatedKey>;
  /**
   * Returns the keys of one account, by name or id, or of the first; oldest first. Throws
   * NOT_FOUND.
   */
  list(account?: string): Promise<KeyRecord[]>;
  /** Effective at once here and within `CACHE_MS` in other processes. Throws NOT_FOUND. */
  revoke(id: string): Promise<void>;
  /**
   * Replaces the secret part of the key; id, limits and budget stay, and the old secret is accepted
   * for another `graceMs` (earlier ones are not). Throws NOT_FOUND.
   */
  rotate(id: string, graceMs?: number): Promise<CreatedKey>;
  /** Changes the given limits; null removes one. Throws NOT_FOUND. */
  saveLimits(id: string, changes: Partial<KeyLimits>): Promise<KeyRecord>;
  /**
   * Creates a key when there is none, neither stored nor in the settings; otherwise undefined. The
   * file is written before the key is valid, and a key found there is reused, so a killed start
   * loses nothing.
   */
  createFirst(file: FirstKeyFile): Promise<CreatedKey | undefined>;
  /** Writes recorded uses; also runs on a timer. */
  flush(): Promise<void>;
  close(): Promise<void>;
};

export type KeyringParts = {
  readonly keys: KeyStore;
  readonly accounts: Accounts;
  readonly ledger: LedgerStore;
  /** The key from the settings, hashed in memory and never stored. */
  readonly startKey?: Secret | undefined;
  readonly now?: () => number;
};

const PREFIX = "qy-";
/** Delay, milliseconds, until this process rejects a key that another one revoked. */
const CACHE_MS = 10_000;
const MAX_CACHE_ENTRIES = 10_000;
const SAVE_USES_MS = 30_000;
const GRACE_MS = 24 * 60 * 60 * 1000;

const TOKEN = /^qy-[\w-]{43}$/;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Stored form of a key. */
export const hashKey = (token: string): string => createHash("sha256").update(token).digest("hex");

function isSameHash(one: string, other: string): boolean {
  const [first, second] = [Buffer.from(one, "hex"), Buffer.from(other, "hex")];
  return first.length === second.length && timingSafeEqual(first, second);
}

const isValid = (key: KeyRecord, now: number): boolean =>
  key.revokedAt === null && (key.expiresAt === null || key.expiresAt > now);

function matchesHash(hash: string, key: KeyRecord, now: number): boolean {
  if (isSameHash(hash, key.hash)) return true;
  return key.previous !== null && key.previous.until > now && isSameHash(hash, key.previous.hash);
}

const toIdentity = (key: KeyRecord, account: AccountRecord | undefined): Identity => ({
  accountId: key.accountId,
  keyId: key.id,
  keyName: key.name,
  limits: key.limits,
  accountLimits: account?.limits ?? UNLIMITED,
  scopes: key.scopes,
  allowHosts: key.allowHosts ?? undefined,
});

const readPrefix = (token: string): string => token.slice(0, PREFIX.length + 4);

/** `qy-` and 43 characters of base64url: 256 random bits. */
function createToken(): string {
  return PREFIX + randomBytes(32).toString("base64url");
}

/** The keys of all accounts, cached so that verification needs no query. */
export async function createKeyring(parts: KeyringParts): Promise<Keyring> {
  const { keys, accounts, ledger, startKey, now = Date.now } = parts;
  const firstAccountId = await keys.ensureAccount();
  const startHash = startKey === undefined ? undefined : hashKey(startKey.reveal());
  const start: Identity = {
    accountId: firstAccountId,
    keyId: START_KEY_ID,
    keyName: "QUARRY_API_KEY",
    limits: UNLIMITED,
  };
  /** By hash; an undefined key caches a miss, so that a wrong key is not queried repeatedly. */
  const known = new Map<string, { key: KeyRecord | undefined; until: number }>();
  const uses = new Map<string, number>();

  async function find(hash: string): Promise<KeyRecord | undefined> {
    const at = now();
    const cached = known.get(hash);
    if (cached !== undefined && cached.until > at) return cached.key;
    const key = await keys.findByHash(hash);
    known.delete(hash);
    known.set(hash, { key, until: at + CACHE_MS });
    const oldest = known.keys().next();
    if (known.size > MAX_CACHE_ENTRIES && oldest.done !== true) known.delete(oldest.value);
    return key;
  }

  function forget(id: string): void {
    for (const [hash, { key }] of known) if (key?.id === id) known.delete(hash);
  }

  /** The id of the named account, or of the first. */
  async function findAccountId(nameOrId: string | undefined): Promise<string> {
    return nameOrId === undefined ? firstAccountId : (await accounts.get(nameOrId)).id;
  }

  /** Adds the limits of the account. Throws FORBIDDEN when it is disabled. */
  async function admit(identity: Identity): Promise<Identity> {
    const account = await accounts.find(identity.accountId);
    accounts.assertEnabled(account);
    return { ...identity, accountLimits: account?.limits ?? UNLIMITED };
  }

  async function insert(
    { name, account, limits, scopes = DEFAULT_SCOPES, allowHosts = null, expiresAt = null }: NewKey,
    key = createToken(),
  ): Promise<CreatedKey> {
    const record: KeyRecord = {
      id: createRowId(),
      accountId: await findAccountId(account),
      name,
      hash: hashKey(key),
      previous: null,
      prefix: readPrefix(key),
      limits: { ...UNLIMITED, ...limits },
      scopes,
      allowHosts,
      createdAt: now(),
      lastUsedAt: null,
      expiresAt,
      revokedAt: null,
    };
    await keys.insert(record);
    known.delete(record.hash);
    await grantBudget(
      ledger,
      { accountId: record.accountId, keyId: record.id },
      record.limits.creditBudget,
      now(),
    );
    return { key, record };
  }

  /**
   * Names are unique among the active keys of an account, so that commands accept them instead of
   * ids.
   */
  async function assertNameIsFree({ name, account }: NewKey): Promise<void> {
    const taken = (await keys.list(await findAccountId(account))).find(
      (key) =>
        key.name === name &&
        key.revokedAt === null &&
        (key.expiresAt === null || key.expiresAt > now()),
    );
    if (taken !== undefined)
      throw new RequestError(
        "CONFLICT",
        `Key "${name}" already exists (${taken.id}). Choose another name, or rotate or revoke the key.`,
      );
  }

  async function get(id: string): Promise<KeyRecord> {
    const key = UUID.test(id) ? await keys.find(id) : undefined;
    if (key === undefined)
      throw new RequestError(
        "NOT_FOUND",
        `There is no key with the id ${id}; quarry keys list shows the ids.`,
      );
    return key;
  }

  async function flush(): Promise<void> {
    if (uses.size === 0) return;
    const saved = new Map(uses);
    uses.clear();
    await keys.saveLastUsed(saved);
  }

  // A failed save does not matter: the next one includes it.
  const timer = setInterval(() => void flush().catch(() => undefined), SAVE_USES_MS).unref();

  async function verifyHash(hash: string): Promise<Identity | undefined> {
    if (startHash !== undefined && isSameHash(hash, startHash)) return await admit(start);
    const key = await find(hash);
    const at = now();
    if (key === undefined || !matchesHash(hash, key, at) || !isValid(key, at)) return undefined;
    const account = await accounts.find(key.accountId);
    accounts.assertEnabled(account);
    uses.set(key.id, at);
    return toIdentity(key, account);
  }

  return {
    flush,
    verifyHash,
    operator: () => admit({ ...start, keyId: OPERATOR_KEY_ID, keyName: "console", scopes: SCOPES }),
    anonymous: () => admit({ ...start, keyId: ANONYMOUS_KEY_ID, keyName: "none" }),
    verify: (token) => verifyHash(hashKey(token)),
    async create(key) {
      await assertNameIsFree(key);
      return await insert(key);
    },
    async list(account) {
      await flush();
      return await keys.list(await findAccountId(account));
    },
    async revoke(id) {
      await get(id);
      await keys.revoke(id, now());
      forget(id);
    },
    async rotate(id, graceMs = GRACE_MS) {
      const old = await get(id);
      const key = createToken();
      const next = { hash: hashKey(key), prefix: readPrefix(key), previousUntil: now() + graceMs };
      if (!(await keys.rotate(id, next)))
        throw new RequestError("CONFLICT", `The key ${old.prefix}… is revoked.`);
      forget(id);
      return { key, record: await get(id) };
    },
    async saveLimits(id, changes) {
      const { accountId, limits } = await get(id);
      const next = { ...limits, ...changes };
      await keys.saveLimits(id, next);
      if (changes.creditBudget !== undefined)
        await grantBudget(ledger, { accountId, keyId: id }, next.creditBudget, now());
      forget(id);
      return await get(id);
    },
    async createFirst(file) {
      if (startHash !== undefined || (await keys.count()) > 0) return undefined;
      const kept = await file.load();
      const isToken = kept !== undefined && TOKEN.test(kept);
      const key = isToken ? kept : createToken();
      if (!isToken) await file.save(key);
      return insert({ name: "first" }, key);
    },
    async close() {
      clearInterval(timer);
      await flush();
    },
  };
}
