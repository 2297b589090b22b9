// Processes on one database that encrypt with different secrets cannot read each other's profiles and webhook secrets. Each
// records the fingerprint of its secret; one that finds another's recorded says so instead of failing later, event by event.
import { LimitError } from "../../errors.ts";
import type { Logger } from "../../log.ts";
import type { SettingStore } from "./settings.ts";
import type { Vault } from "./vault.ts";

const NAME = "secret_fingerprint";
/** How often a process renews the record. */
const RENEW_MS = 60_000;
/** When nobody has renewed it for so long, no process with that secret is left. */
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

type Recorded = { readonly fingerprint: string; readonly renewedAt: number };

export function createSecretAgreement(parts: SecretAgreementParts): SecretAgreement {
  const { settings, vault, log, now = Date.now } = parts;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  let disagrees = false;

  async function check(): Promise<void> {
    const [fingerprint = "", ...earlier] = await vault.fingerprints();
    const renewed = (): string =>
      JSON.stringify({ fingerprint, renewedAt: now() } satisfies Recorded);
    const text = await settings.loadOrCreate(NAME, renewed);
    const recorded = JSON.parse(text) as Recorded;
    const ageMs = now() - recorded.renewedAt;
    if (recorded.fingerprint === fingerprint) {
      if (ageMs >= RENEW_MS) await settings.replace(NAME, text, renewed());
      return;
    }
    const isEarlier = earlier.includes(recorded.fingerprint);
    if (!isEarlier && ageMs < ABANDONED_MS)
      throw new LimitError("UNAVAILABLE", DIFFERENT_SECRETS, { retryAfterMs: RENEW_MS });
    if (!(await settings.replace(NAME, text, renewed()))) return await check();
    if (isEarlier) log.info("this process's QUARRY_SECRET replaces the one before it");
    else
      log.warn(
        "no process with the earlier QUARRY_SECRET is left: profiles and webhook secrets that it encrypted cannot be read unless QUARRY_SECRET_PREVIOUS names it",
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
          "the secret of this process does not match, or could not be compared",
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
