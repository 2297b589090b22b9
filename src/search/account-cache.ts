// Caches a value per account for twenty times the duration of its query, which grows with the
// number of pages.

type CachedEntry<Value> = { readonly value: Value; readonly until: number };

const TTL_FACTOR = 20;
const MAX_ACCOUNTS = 1_000;

/** Caches the results of `look`; `now` is milliseconds on any monotonic clock. */
export function createAccountCache<Value>(
  look: (accountId: string) => Promise<Value>,
  now: () => number = () => performance.now(),
): (accountId: string) => Promise<Value> {
  const known = new Map<string, CachedEntry<Value>>();
  return async (accountId) => {
    const found = known.get(accountId);
    if (found !== undefined && now() < found.until) return found.value;
    const began = now();
    const value = await look(accountId);
    const took = now() - began;
    known.delete(accountId);
    if (known.size >= MAX_ACCOUNTS) known.delete(known.keys().next().value ?? "");
    known.set(accountId, { value, until: now() + took * TTL_FACTOR });
    return value;
  };
}
