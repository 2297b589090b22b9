import { createRowId } from "../store/accounts/accounts.ts";
import type { LedgerStore } from "../store/accounts/ledger.ts";

/**
 * Adjusts the total granted credits to a budget. An account's balance is stored under its own id
 * instead of a key's. Nothing is granted without a budget, because credits are unlimited then.
 */
export async function grantBudget(
  ledger: LedgerStore,
  { accountId, keyId }: { readonly accountId: string; readonly keyId: string },
  creditBudget: number | null,
  at: number,
): Promise<void> {
  if (creditBudget === null) return;
  const granted = (await ledger.balance(keyId))?.granted;
  if (granted === creditBudget) return;
  await ledger.addGrant({
    id: createRowId(),
    accountId,
    keyId,
    jobId: null,
    endpoint: "grant",
    at,
    amount: creditBudget - (granted ?? 0),
  });
}
