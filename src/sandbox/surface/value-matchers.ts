// Matchers of values, which look once, and how values and texts are compared.

export type MatchFinding = { readonly pass: boolean; readonly received: unknown };
export type MatchOptions = { readonly timeout?: number };
export type Matcher = (
  received: unknown,
  ...wanted: unknown[]
) => MatchFinding | Promise<MatchFinding>;

/** Deep equality of plain values; keys with undefined count as missing. */
export function isSame(one: unknown, other: unknown): boolean {
  const pairs: [unknown, unknown][] = [[one, other]];
  const seen = new Set<unknown>();
  for (let pair = pairs.pop(); pair !== undefined; pair = pairs.pop()) {
    const [a, b] = pair;
    if (Object.is(a, b)) continue;
    if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
    if (Array.isArray(a) !== Array.isArray(b)) return false;
    if (a instanceof Date || b instanceof Date) {
      if (!(a instanceof Date && b instanceof Date && a.getTime() === b.getTime())) return false;
      continue;
    }
    if (a instanceof RegExp || b instanceof RegExp) {
      if (!(a instanceof RegExp && b instanceof RegExp && a.toString() === b.toString()))
        return false;
      continue;
    }
    if (a instanceof Map || a instanceof Set || b instanceof Map || b instanceof Set) {
      const isKind = a instanceof Map ? b instanceof Map : a instanceof Set && b instanceof Set;
      if (!isKind) return false;
      pairs.push([[...(a as Iterable<unknown>)], [...(b as Iterable<unknown>)]]);
      continue;
    }
    if (seen.has(a)) continue;
    seen.add(a);
    const [left, right] = [a, b] as [Record<string, unknown>, Record<string, unknown>];
    for (const key of new Set([...Object.keys(left), ...Object.keys(right)]))
      pairs.push([left[key], right[key]]);
  }
  return true;
}

/** True if `part` occurs in `whole`: objects need its keys, everything else must be equal. */
export function hasPart(whole: unknown, part: unknown): boolean {
  if (typeof part !== "object" || part === null || Array.isArray(part)) return isSame(whole, part);
  if (typeof whole !== "object" || whole === null) return false;
  return Object.entries(part).every(([key, value]) =>
    hasPart((whole as Record<string, unknown>)[key], value),
  );
}

/** Matches text as Playwright does: patterns as given, strings with folded whitespace. */
export function fitsText(received: unknown, wanted: unknown, isPart: boolean): boolean {
  if (wanted instanceof RegExp) return new RegExp(wanted).test(String(received));
  const fold = (text: unknown): string => String(text).replaceAll(/\s+/g, " ").trim();
  return isPart ? fold(received).includes(fold(wanted)) : fold(received) === fold(wanted);
}

export function createValueMatchers(): Record<string, Matcher> {
  const number =
    (test: (received: number, wanted: number) => boolean): Matcher =>
    (received, wanted) => ({ pass: test(received as number, wanted as number), received });
  const plain =
    (test: (received: unknown) => boolean): Matcher =>
    (received) => ({ pass: test(received), received });
  const equal: Matcher = (received, wanted) => ({ pass: isSame(received, wanted), received });
  return {
    toBe: (received, wanted) => ({ pass: Object.is(received, wanted), received }),
    toEqual: equal,
    toStrictEqual: equal,
    toMatchObject: (received, wanted) => ({ pass: hasPart(received, wanted), received }),
    toBeTruthy: plain(Boolean),
    toBeFalsy: plain((received) => !received),
    toBeNull: plain((received) => received === null),
    toBeUndefined: plain((received) => received === undefined),
    toBeDefined: plain((received) => received !== undefined),
    toBeNaN: plain((received) => Number.isNaN(received)),
    toBeGreaterThan: number((received, wanted) => received > wanted),
    toBeGreaterThanOrEqual: number((received, wanted) => received >= wanted),
    toBeLessThan: number((received, wanted) => received < wanted),
    toBeLessThanOrEqual: number((received, wanted) => received <= wanted),
    toBeCloseTo: (received, wanted, digits = 2) => ({
      pass: Math.abs(Number(received) - Number(wanted)) < 10 ** -Number(digits) / 2,
      received,
    }),
    toContain: (received, wanted) => ({
      pass:
        typeof received === "string"
          ? received.includes(String(wanted))
          : [...(received as Iterable<unknown>)].includes(wanted),
      received,
    }),
    toContainEqual: (received, wanted) => ({
      pass: [...(received as Iterable<unknown>)].some((value) => isSame(value, wanted)),
      received,
    }),
    toMatch: (received, wanted) => ({
      pass:
        wanted instanceof RegExp
          ? new RegExp(wanted).test(String(received))
          : String(received).includes(String(wanted)),
      received,
    }),
    toHaveLength: (received, wanted) => {
      const { length } = received as { length: unknown };
      return { pass: length === wanted, received: length };
    },
    toHaveProperty: (received, name, ...wanted) => {
      let value: unknown = received;
      for (const part of Array.isArray(name) ? name : String(name).split("."))
        value = (value as Record<string, unknown> | undefined | null)?.[String(part)];
      const pass = wanted.length === 0 ? value !== undefined : isSame(value, wanted[0]);
      return { pass, received: value };
    },
    toBeInstanceOf: (received, wanted) => ({
      pass: received instanceof (wanted as new () => unknown),
      received,
    }),
    toBeOK: (received) => {
      const { ok } = received as { ok: () => boolean };
      return { pass: (received as { ok: typeof ok }).ok(), received: "the response" };
    },
    toThrow: (received, wanted) => {
      try {
        (received as () => unknown)();
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        return { pass: wanted === undefined || fitsText(message, wanted, true), received: message };
      }
      return { pass: false, received: "nothing was thrown" };
    },
  };
}
