// Seals what must not be readable in a copy of the database: saved browser state. The key is no part of the database.
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Config } from "../../config.ts";
import { InternalError } from "../../errors.ts";
import { inDataFolder, makeFolder } from "./data-folder.ts";

export type Vault = {
  /** AES-256-GCM. `about` says whose the bytes are; they cannot be opened as somebody else's. */
  seal(bytes: Uint8Array, about: string): Promise<Uint8Array>;
  /** Throws InternalError for bytes that were sealed with another key, for another owner, or were altered. */
  open(sealed: Uint8Array, about: string): Promise<Uint8Array>;
};

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** The key comes from QUARRY_SECRET, or from a file in the data folder that is made at the first use. */
export function createVault(config: Pick<Config, "dataDir" | "secret">): Vault {
  let made: Promise<Buffer> | undefined;
  const key = (): Promise<Buffer> => (made ??= findSecret(config).then(toKey));
  return {
    async seal(bytes, about) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv("aes-256-gcm", await key(), nonce);
      cipher.setAAD(Buffer.from(about));
      const sealed = Buffer.concat([cipher.update(bytes), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
    },
    async open(sealed, about) {
      const bytes = Buffer.from(sealed);
      const decipher = createDecipheriv("aes-256-gcm", await key(), bytes.subarray(0, NONCE_BYTES));
      decipher.setAAD(Buffer.from(about));
      decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      try {
        const content = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES));
        return Buffer.concat([content, decipher.final()]);
      } catch (cause) {
        throw new InternalError(
          "Sealed bytes cannot be opened: they were sealed with another key. All processes on one database need the same QUARRY_SECRET.",
          { cause },
        );
      }
    },
  };
}

const toKey = (secret: Uint8Array): Buffer =>
  Buffer.from(hkdfSync("sha256", secret, "quarry", "browser profiles", 32));

async function findSecret(config: Pick<Config, "dataDir" | "secret">): Promise<Uint8Array> {
  const given = config.secret?.reveal();
  if (given !== undefined) return Buffer.from(given);
  const file = path.resolve(config.dataDir, "secret");
  return await inDataFolder(config, async () => {
    await makeFolder(path.dirname(file));
    // Whoever comes second gets the first one's.
    await writeFile(file, randomBytes(32).toString("hex"), { mode: 0o600, flag: "wx" }).catch(
      (error: NodeJS.ErrnoException) => {
        if (error.code !== "EEXIST") throw error;
      },
    );
    return await readFile(file);
  });
}
