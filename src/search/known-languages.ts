// Which languages the pages of an account have. Looking takes the longer the more pages there are, so the answer is remembered for
// twenty times as long as it took.

type Known = { readonly languages: readonly string[]; readonly until: number };

const TIMES = 20;
const MAX_ACCOUNTS = 1_000;

/** Remembers what `look` answers; `now` is milliseconds on any clock that goes on. */
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
