// Caches the languages of an account's pages for twenty times the duration of the query, which
// grows with the number of pages.

type Known = { readonly languages: readonly string[]; readonly until: number };

const TIMES = 20;
const MAX_ACCOUNTS = 1_000;

/** Caches the results of `look`; `now` is milliseconds on any monotonic clock. */
export function createKnownLanguages(
  look: (accountId: string) => Promise<readonly string[]>,
  now: () => number = () => performance.now(),
): (accountId: string) => Promise<readonly string[]> {
  const known = new Map<string, Known>();
  return async (accountId) => {
    const found = known.get(accountId);
    if (found !== undefined && now() < found.until) return found.languages;
    const began = now();
    const languages = await look(accountId);
    const took = now() - began;
    known.delete(accountId);
    if (known.size >= MAX_ACCOUNTS) known.delete(known.keys().next().value ?? "");
    known.set(accountId, { languages, until: now() + took * TIMES });
    return languages;
  };
}
