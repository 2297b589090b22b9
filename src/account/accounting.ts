// Creates accounts, keys, credits and usage.
import type { Config } from "../config.ts";
import { createLazy } from "../runtime/lazy.ts";
import type { PageUsageStore } from "../store/accounts/page-usage.ts";
import type { Store } from "../store/store.ts";
import { createAccounts } from "./accounts.ts";
import { createCredits, createFreeCredits } from "./credits.ts";
import { ANONYMOUS_IDENTITY, type Identity } from "./identity.ts";
import { createKeyring } from "./keys.ts";
import type { PageMeter } from "./page-meter.ts";
import type { Slots } from "./slots.ts";
import { createUsage } from "./usage.ts";

export type AccountingParts = {
  readonly store: () => Promise<Store>;
  /** False for a process without a store: everything is free. */
  readonly keeps: boolean;
  readonly slots: Slots;
  /** Undefined for a process without a store. */
  readonly meter: PageMeter | undefined;
};

/** Parts are lazy. The caller closes the keyring. */
export function createAccounting(config: Config, parts: AccountingParts) {
  const { store, keeps, slots, meter } = parts;
  const accounts = createLazy(async () => createAccounts(await store()));
  const keyring = createLazy(async () => {
    const { keys, ledger } = await store();
    const parts = { keys, ledger, accounts: await accounts(), startKey: config.apiKey };
    return await createKeyring(parts);
  });
  const credits = createLazy(async () =>
    keeps ? createCredits({ ledger: (await store()).ledger }) : createFreeCredits(),
  );
  const usage = createLazy(async () => {
    const { ledger, keys, activity, pageUsage } = await store();
    const pages = {
      async sum(...query: Parameters<PageUsageStore["sum"]>) {
        await meter?.flush();
        return await pageUsage.sum(...query);
      },
    };
    return createUsage({ credits: await credits(), ledger, pages, keys, activity, slots });
  });
  const identifyAnonymous = async (): Promise<Identity> =>
    keeps ? await (await keyring()).anonymous() : ANONYMOUS_IDENTITY;
  return { accounts, keyring, credits, usage, anonymous: identifyAnonymous };
}
