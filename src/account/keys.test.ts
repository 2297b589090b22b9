import { describe, expect, it } from "vitest";
import type { AccountStore, KeyRecord, KeyStore } from "../store/accounts/accounts.ts";
import type { LedgerStore } from "../store/accounts/ledger.ts";
import { createAccounts } from "./accounts.ts";
import { createKeyring, type Keyring } from "./keys.ts";

/**
 * A keyring over an empty store that fails the given number of inserts, and the file of the first
 * key.
 */
async function setUp(failures: number): Promise<{
  keyring: Keyring;
  inserted: KeyRecord[];
  file: {
    key: string | undefined;
    load(): Promise<string | undefined>;
    save(key: string): Promise<void>;
  };
}> {
  const inserted: KeyRecord[] = [];
  let left = failures;
  const keys: Partial<KeyStore> = {
    ensureAccount: async () => "account",
    count: async () => inserted.length,
    async insert(record) {
      if (left-- > 0) throw new Error("stopped");
      inserted.push(record);
    },
    findByHash: async (hash) => inserted.find((record) => record.hash === hash),
    saveLastUsed: async () => undefined,
  };
  const file = {
    key: undefined as string | undefined,
    load: async () => file.key,
    save: async (key: string) => void (file.key = key),
  };
  const ledger = {} as LedgerStore;
  const accounts = createAccounts({
    accounts: { find: async () => undefined } as Partial<AccountStore> as AccountStore,
    ledger,
  });
  const keyring = await createKeyring({ keys: keys as KeyStore, accounts, ledger });
  return { keyring, inserted, file };
}

describe("first key", () => {
  it("writes the first key to the file before it is valid, and the next start reuses it", async () => {
    const { keyring, inserted, file } = await setUp(1);
    await expect(keyring.createFirst(file)).rejects.toThrow("stopped");
    const kept = file.key ?? "";
    expect(kept).toMatch(/^qy-[\w-]{43}$/);
    expect(await keyring.verify(kept)).toBeUndefined();

    expect((await keyring.createFirst(file))?.key).toBe(kept);
    expect(await keyring.verify(kept)).toMatchObject({ keyName: "first" });
    expect(await keyring.createFirst(file)).toBeUndefined();
    expect(inserted).toHaveLength(1);
    await keyring.close();
  });

  it("ignores other content of the key file", async () => {
    const { keyring, file } = await setUp(0);
    file.key = "password";
    const made = await keyring.createFirst(file);
    expect(made?.key).toMatch(/^qy-/);
    expect(file.key).toBe(made?.key);
    await keyring.close();
  });

  it("does not create a key that cannot be written to the file", async () => {
    const { keyring, inserted, file } = await setUp(0);
    const save = async (): Promise<void> => {
      throw new Error("read-only");
    };
    await expect(keyring.createFirst({ ...file, save })).rejects.toThrow("read-only");
    expect(inserted).toEqual([]);
    await keyring.close();
  });
});
