import { createRowId } from "../store/accounts/accounts.ts";
import type { LedgerStore } from "../store/accounts/ledger.ts";

/**
 * Brings what was granted in all up or down to a credit budget. The balance of an account stands under its own id, in place of a
 * key's. Without a budget nothing is granted: its credits have no end.
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
  await ledger.grant({
    id: createRowId(),
    accountId,
    keyId,
    jobId: null,
    endpoint: "grant",
    at,
    amount: creditBudget - (granted ?? 0),
  });
}
