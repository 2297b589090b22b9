// Processes on one database with different secrets cannot read each other's profiles and webhook
// secrets. Each process records the fingerprint of its secret. A process that finds a different one
// reports it at once, instead of failing on each event.
import { LimitError } from "../../errors.ts";
import type { Logger } from "../../logger.ts";
import type { SettingStore } from "./settings.ts";
import type { Vault } from "./vault.ts";

const NAME = "secret_fingerprint";
/** Renewal interval of the record, milliseconds. */
const RENEW_MS = 60_000;
/** A record this old means that no process with that secret is left. */
const ABANDONED_MS = 600_000;

export const DIFFERENT_SECRETS =
  "This process and others on its database have different QUARRY_SECRETs, so they cannot read each other's profiles and webhook secrets. Set the same QUARRY_SECRET for all processes.";

export type SecretAgreement = {
  /** Throws LimitError UNAVAILABLE while processes with another secret use the database. */
  check(): Promise<void>;
  /** Checks now and every minute until closed; a disagreement is logged when it begins. */
  start(): Promise<void>;
  close(): Promise<void>;
};

export type SecretAgreementParts = {
  readonly settings: Pick<SettingStore, "load" | "loadOrCreate" | "replace">;
  readonly vault: Pick<Vault, "fingerprints">;
  readonly log: Logger;
  readonly now?: () => number;
};

type RecordedSecret = { readonly fingerprint: string; readonly renewedAt: number };

export function createSecretAgreement(parts: SecretAgreementParts): SecretAgreement {
  const { settings, vault, log, now = Date.now } = parts;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  let disagrees = false;

  async function check(): Promise<void> {
    const [fingerprint = "", ...earlier] = await vault.fingerprints();
    const createRenewed = (): string =>
      JSON.stringify({ fingerprint, renewedAt: now() } satisfies RecordedSecret);
    const text = await settings.loadOrCreate(NAME, createRenewed);
    const recorded = JSON.parse(text) as RecordedSecret;
    const ageMs = now() - recorded.renewedAt;
    if (recorded.fingerprint === fingerprint) {
      if (ageMs >= RENEW_MS) await settings.replace(NAME, text, createRenewed());
      return;
    }
    const isEarlier = earlier.includes(recorded.fingerprint);
    if (!isEarlier && ageMs < ABANDONED_MS)
      throw new LimitError("UNAVAILABLE", DIFFERENT_SECRETS, { retryAfterMs: RENEW_MS });
    if (!(await settings.replace(NAME, text, createRenewed()))) return await check();
    if (isEarlier) log.info("QUARRY_SECRET replaces the previous one");
    else
      log.warn(
        "no process with the previous QUARRY_SECRET is left; set QUARRY_SECRET_PREVIOUS to read the profiles and webhook secrets it encrypted",
      );
  }

  async function look(): Promise<void> {
    try {
      await check();
      disagrees = false;
    } catch (error) {
      if (!disagrees)
        log.error(
          { err: error },
          "QUARRY_SECRET differs from that of other processes, or could not be compared",
        );
      disagrees = true;
    }
  }

  return {
    check,
    async start() {
      await look();
      timer = setInterval(() => {
        running = look();
      }, RENEW_MS).unref();
    },
    async close() {
      clearInterval(timer);
      await running;
    },
  };
}
