import { countTokens } from "../ranking/model-tokens.ts";

export type TakenItems<Item> = {
  readonly shown: readonly Item[];
  /** `skip` for the next ones; undefined at the end of the list. */
  readonly nextSkip: number | undefined;
};

/** Takes items from `skip` on while their JSON fits into the budget, at least one. */
export function takeItems<Item>(
  all: readonly Item[],
  skip: number,
  textTokens: number,
): TakenItems<Item> {
  const shown: Item[] = [];
  let used = 0;
  for (const item of all.slice(skip)) {
    used += countTokens(JSON.stringify(item)) + 2;
    if (used > textTokens && shown.length > 0) break;
    shown.push(item);
  }
  const end = skip + shown.length;
  return { shown, nextSkip: end < all.length ? end : undefined };
}

/**
 * Collects items of a list that is read in pages, until there are `max` or it ends. `readPage` takes
 * the cursor of the page before.
 */
export async function collectPages<Item>(
  max: number,
  readPage: (
    cursor: string | undefined,
  ) => Promise<{ readonly items: readonly Item[]; readonly next: string | null }>,
): Promise<Item[]> {
  const found: Item[] = [];
  let cursor: string | undefined;
  while (found.length < max) {
    const { items, next } = await readPage(cursor);
    found.push(...items);
    if (next === null) break;
    cursor = next;
  }
  return found;
}
