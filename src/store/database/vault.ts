// Encrypts what a copy of the database must not reveal, such as browser state. The key is not in
// the database.
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Config } from "../../config.ts";
import { InternalError } from "../../errors.ts";
import { runInDataFolder, makeFolder } from "./data-folder.ts";

export type Vault = {
  /**
   * Encrypts with AES-256-GCM. `about` names the owner; the bytes cannot be opened for another one.
   */
  seal(bytes: Uint8Array, about: string): Promise<Uint8Array>;
  /**
   * Throws InternalError for bytes that were encrypted with another key or for another owner, or
   * were altered.
   */
  open(sealed: Uint8Array, about: string): Promise<Uint8Array>;
  /**
   * Returns fingerprints that compare keys without revealing them: the current key first, then
   * earlier ones.
   */
  fingerprints(): Promise<string[]>;
};

type VaultConfig = Pick<Config, "dataDir" | "secret" | "previousSecret">;

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const FINGERPRINT_BYTES = 16;

/**
 * The key comes from QUARRY_SECRET, or from a file in the data folder created on first use.
 * QUARRY_SECRET_PREVIOUS and the file from before QUARRY_SECRET was set still decrypt.
 */
export function createVault(config: VaultConfig): Vault {
  let found: Promise<Buffer[]> | undefined;
  const loadSecrets = (): Promise<Buffer[]> => (found ??= findSecrets(config));
  return {
    async seal(bytes, about) {
      const nonce = randomBytes(NONCE_BYTES);
      const [secret = Buffer.alloc(0)] = await loadSecrets();
      const cipher = createCipheriv("aes-256-gcm", toKey(secret), nonce);
      cipher.setAAD(Buffer.from(about));
      const sealed = Buffer.concat([cipher.update(bytes), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
    },
    async open(sealed, about) {
      let cause: unknown;
      for (const secret of await loadSecrets()) {
        try {
          return decryptWith(toKey(secret), Buffer.from(sealed), about);
        } catch (error) {
          cause ??= error;
        }
      }
      throw new InternalError(
        "Sealed bytes cannot be opened: they were sealed with another key. All processes on one database need the same QUARRY_SECRET.",
        { cause },
      );
    },
    fingerprints: async () => (await loadSecrets()).map(toFingerprint),
  };
}

function decryptWith(key: Uint8Array, bytes: Buffer, about: string): Buffer {
  const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, NONCE_BYTES));
  decipher.setAAD(Buffer.from(about));
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  const content = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES));
  return Buffer.concat([content, decipher.final()]);
}

const toKey = (secret: Uint8Array): Buffer =>
  Buffer.from(hkdfSync("sha256", secret, "quarry", "browser profiles", 32));

const toFingerprint = (secret: Uint8Array): string =>
  Buffer.from(hkdfSync("sha256", secret, "quarry", "fingerprint", FINGERPRINT_BYTES)).toString(
    "hex",
  );

/** The secret that encrypts, then those that only decrypt. */
async function findSecrets(config: VaultConfig): Promise<Buffer[]> {
  const file = path.resolve(config.dataDir, "secret");
  const previous = config.previousSecret?.reveal();
  const earlier = previous === undefined ? [] : [Buffer.from(previous)];
  const given = config.secret?.reveal();
  if (given === undefined) return [await makeSecretFile(config, file), ...earlier];
  const kept = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return undefined;
    throw error;
  });
  return [Buffer.from(given), ...earlier, ...(kept === undefined ? [] : [kept])];
}

async function makeSecretFile(config: VaultConfig, file: string): Promise<Buffer> {
  return await runInDataFolder(config, async () => {
    await makeFolder(path.dirname(file));
    // The second writer gets the first one's secret.
    await writeFile(file, randomBytes(32).toString("hex"), { mode: 0o600, flag: "wx" }).catch(
      (error: NodeJS.ErrnoException) => {
        if (error.code !== "EEXIST") throw error;
      },
    );
    return await readFile(file);
  });
}
