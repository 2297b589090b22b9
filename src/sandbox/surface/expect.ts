// Playwright's `expect` for code in the interpreter: matchers of pages and locators look again
// until they hold or their time is up; matchers of values look once.
import type { Locator, Page } from "./playwright.ts";

type MatchFinding = { readonly pass: boolean; readonly received: unknown };
type Options = { readonly timeout?: number };
type Matcher = (received: unknown, ...wanted: unknown[]) => MatchFinding | Promise<MatchFinding>;

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

/** Time of one look at an element, so that a missing one does not take the whole wait. */
export function createLocatorMatchers(): Record<string, Matcher> {
  type ReadLocator = (locator: Locator, timed: Options) => Promise<unknown>;
  const call = (locator: unknown, name: string, values: unknown[]): Promise<unknown> =>
    (locator as unknown as Record<string, (...given: unknown[]) => Promise<unknown>>)[name]?.(
      ...values,
    ) ?? Promise.resolve(undefined);
  const LOOK = { timeout: 1_000 };
  const state =
    (read: ReadLocator, wanted: boolean): Matcher =>
    async (given) => {
      const received = await read(given as Locator, LOOK);
      return { pass: received === wanted, received };
    };
  const texts =
    (isPart: boolean): Matcher =>
    async (given, wanted, options) => {
      const { useInnerText } = (options ?? {}) as { useInnerText?: boolean };
      const all = useInnerText === true ? "allInnerTexts" : "allTextContents";
      const one = useInnerText === true ? "innerText" : "textContent";
      if (!Array.isArray(wanted)) {
        const received = await call(given, one, [LOOK]);
        return { pass: fitsText(received, wanted, isPart), received };
      }
      const received = (await call(given, all, [])) as string[];
      if (!isPart)
        return {
          pass:
            received.length === wanted.length &&
            received.every((text, at) => fitsText(text, wanted[at], false)),
          received,
        };
      let next = 0;
      for (const text of received)
        if (next < wanted.length && fitsText(text, wanted[next], true)) next++;
      return { pass: next === wanted.length, received };
    };
  /** Runs a function of the page on the element. */
  const ask = (given: unknown, source: string, value: unknown, timed: Options): Promise<unknown> =>
    call(given, "evaluate", [{ $function: source }, value, timed]);
  const property =
    (source: string): Matcher =>
    async (given, wanted) => {
      const received = await ask(given, source, undefined, LOOK);
      return { pass: fitsText(received, wanted, false), received };
    };
  const named =
    (source: string): Matcher =>
    async (given, name, ...wanted) => {
      const received = await ask(given, source, name, LOOK);
      const [value] = wanted;
      const isGiven = value !== undefined && !isTimed(value);
      return { pass: isGiven ? fitsText(received, value, false) : received !== null, received };
    };
  const isTimed = (value: unknown): boolean =>
    typeof value === "object" && value !== null && !(value instanceof RegExp);
  return {
    toBeVisible: state((locator) => call(locator, "isVisible", []), true),
    toBeHidden: state((locator) => call(locator, "isVisible", []), false),
    toBeAttached: state(async (locator) => Number(await call(locator, "count", [])) > 0, true),
    toBeChecked: state((locator, timed) => call(locator, "isChecked", [timed]), true),
    toBeEnabled: state((locator, timed) => call(locator, "isEnabled", [timed]), true),
    toBeDisabled: state((locator, timed) => call(locator, "isDisabled", [timed]), true),
    toBeEditable: state((locator, timed) => call(locator, "isEditable", [timed]), true),
    toBeFocused: state(
      (locator, timed) =>
        ask(
          locator,
          "(element) => element.getRootNode().activeElement === element",
          undefined,
          timed,
        ),
      true,
    ),
    toBeEmpty: state(
      (locator, timed) =>
        ask(
          locator,
          "(element) => ('value' in element ? element.value : element.textContent.trim()) === ''",
          undefined,
          timed,
        ),
      true,
    ),
    toBeInViewport: state(
      (locator, timed) =>
        ask(
          locator,
          "(element) => { const box = element.getBoundingClientRect(); return box.width > 0 && box.height > 0 && box.bottom > 0 && box.right > 0 && box.top < innerHeight && box.left < innerWidth; }",
          undefined,
          timed,
        ),
      true,
    ),
    toHaveText: texts(false),
    toContainText: texts(true),
    toHaveCount: async (given, wanted) => {
      const received = await call(given, "count", []);
      return { pass: received === wanted, received };
    },
    toHaveValue: async (given, wanted) => {
      const received = await call(given, "inputValue", [LOOK]);
      const pass = wanted instanceof RegExp ? wanted.test(String(received)) : received === wanted;
      return { pass, received };
    },
    toHaveValues: async (given, wanted) => {
      const received = await ask(
        given,
        "(element) => Array.from(element.selectedOptions, (option) => option.value)",
        undefined,
        LOOK,
      );
      return { pass: isSame(received, wanted), received };
    },
    toHaveAttribute: named("(element, name) => element.getAttribute(name)"),
    toHaveCSS: named("(element, name) => getComputedStyle(element).getPropertyValue(name)"),
    toHaveJSProperty: async (given, name, wanted) => {
      const received = await ask(given, "(element, name) => element[name]", name, LOOK);
      return { pass: isSame(received, wanted), received };
    },
    toHaveId: property("(element) => element.id"),
    toHaveClass: property("(element) => element.className"),
    toContainClass: async (given, wanted) => {
      const received = await ask(given, "(element) => element.className", undefined, LOOK);
      const names = String(received).split(/\s+/);
      return {
        pass: String(wanted)
          .split(/\s+/)
          .every((name) => names.includes(name)),
        received,
      };
    },
    toHaveAccessibleName: async (given, wanted) => {
      const received = String(await call(given, "ariaSnapshot", [LOOK]));
      const name = /^- \w+ "(.*?)"/.exec(received)?.[1] ?? "";
      return { pass: fitsText(name, wanted, false), received: name };
    },
  };
}

export function createPageMatchers(
  urlFits: (page: Page, wanted: unknown) => boolean,
): Record<string, Matcher> {
  return {
    toHaveURL: (given, wanted) => {
      const page = given as Page;
      return { pass: urlFits(page, wanted), received: page.url() };
    },
    toHaveTitle: async (given, wanted) => {
      const received = await (given as unknown as { title(): Promise<string> }).title();
      return { pass: fitsText(received, wanted, false), received };
    },
  };
}

/** Creates `expect`. `kindOf` says which matchers a value has. */
export function createExpect(parts: {
  readonly kindOf: (value: unknown) => "locator" | "page" | "value";
  readonly urlFits: (page: Page, wanted: unknown) => boolean;
  readonly show: (value: unknown) => string;
}) {
  const { kindOf, urlFits, show } = parts;
  const tables = {
    value: createValueMatchers(),
    locator: createLocatorMatchers(),
    page: createPageMatchers(urlFits),
  };
  const pause = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      setTimeout(resolve, ms);
    });
  let defaultMs = 5_000;

  const fail = (
    of: string,
    name: string,
    isNot: boolean,
    wanted: unknown[],
    last: MatchFinding | Error,
    note = "",
  ): Error => {
    const lines = [
      `expect(${of})${isNot ? ".not" : ""}.${name}(${wanted.length === 0 ? "" : "expected"}) failed`,
      ...(wanted.length === 0
        ? []
        : [
            `Expected: ${isNot ? "not " : ""}${wanted.map((value) => (value instanceof RegExp ? String(value) : show(value))).join(", ")}`,
          ]),
      last instanceof Error ? `Error: ${last.message}` : `Received: ${show(last.received)}`,
    ];
    return new Error([...lines, ...(note === "" ? [] : [note])].join("\n"));
  };

  /** Looks again until the matcher holds. */
  async function retry(
    look: () => MatchFinding | Promise<MatchFinding>,
    isNot: boolean,
    timeoutMs: number,
    intervals: readonly number[] = [100, 250, 500, 1_000],
  ): Promise<MatchFinding | Error | undefined> {
    const ends = Date.now() + timeoutMs;
    let last: MatchFinding | Error = new Error("It was not looked at.");
    for (let turn = 0; ; turn++) {
      try {
        last = await look();
        if (last.pass !== isNot) return undefined;
      } catch (error) {
        last = error instanceof Error ? error : new Error(String(error));
      }
      const left = ends - Date.now();
      if (left <= 0) return last;
      await pause(Math.min(left, intervals[Math.min(turn, intervals.length - 1)] ?? 1_000));
    }
  }

  const readLastOptions = (values: readonly unknown[]): Options => {
    const last = values.at(-1);
    const isOptions =
      typeof last === "object" &&
      last !== null &&
      !Array.isArray(last) &&
      !(last instanceof RegExp) &&
      ["timeout", "useInnerText", "ignoreCase"].some((name) => name in last);
    return isOptions ? (last as Options) : {};
  };

  /** The matchers of one value. Unknown names say which there are. */
  function matchers(value: unknown, isNot: boolean): unknown {
    const kind = kindOf(value);
    const table = tables[kind];
    const found: Record<string, unknown> = {};
    for (const [name, match] of Object.entries(table)) {
      found[name] = (...wanted: unknown[]) => {
        if (kind === "value") {
          const finding = match(value, ...wanted) as MatchFinding;
          if (finding.pass === isNot) throw fail("received", name, isNot, wanted, finding);
          return undefined;
        }
        const options = readLastOptions(wanted);
        const asked = options === wanted.at(-1) ? wanted.slice(0, -1) : wanted;
        const timeoutMs = options.timeout ?? defaultMs;
        return retry(() => match(value, ...asked, options), isNot, timeoutMs).then((last) => {
          if (last !== undefined)
            throw fail(kind, name, isNot, asked, last, `Timeout: ${timeoutMs}ms`);
        });
      };
    }
    if (kind === "value")
      found["toPass"] = async ({
        timeout = 0,
        intervals,
      }: { timeout?: number; intervals?: number[] } = {}) => {
        const run = value as () => unknown;
        const last = await retry(
          async () => (await run(), { pass: true, received: "" }),
          false,
          timeout || 30_000,
          intervals,
        );
        if (last !== undefined) throw fail("function", "toPass", false, [], last);
      };
    return new Proxy(found, {
      get(target, name) {
        if (name === "not") return matchers(value, !isNot);
        if (typeof name === "symbol" || name === "then" || name in target)
          return target[name as string];
        throw new Error(
          `expect(${kind}).${String(name)} is not available here; there are ${Object.keys(target).join(", ")}.`,
        );
      },
    });
  }

  /** Like a value matcher, but calls the function repeatedly and checks its result. */
  const poll = (run: () => unknown, options: { timeout?: number; intervals?: number[] } = {}) => {
    const chain = (isNot: boolean): unknown =>
      new Proxy(
        {},
        {
          get(_target, name) {
            if (name === "not") return chain(!isNot);
            if (typeof name === "symbol" || name === "then") return undefined;
            const match = tables.value[name];
            if (match === undefined)
              throw new Error(
                `expect.poll(…).${name} is not available here; there are ${Object.keys(tables.value).join(", ")}.`,
              );
            return async (...wanted: unknown[]) => {
              const timeoutMs = options.timeout ?? defaultMs;
              const last = await retry(
                async () => await match(await run(), ...wanted),
                isNot,
                timeoutMs,
                options.intervals,
              );
              if (last !== undefined)
                throw fail("poll", name, isNot, wanted, last, `Timeout: ${timeoutMs}ms`);
            };
          },
        },
      );
    return chain(false);
  };

  const configure = ({ timeout }: { timeout?: number } = {}) => {
    if (typeof timeout === "number") defaultMs = timeout;
    return expect;
  };
  const soft = (): never => {
    throw new Error("expect.soft is not available here: use expect, which fails at once.");
  };
  const expect = Object.assign((value: unknown, _message?: string) => matchers(value, false), {
    poll,
    configure,
    soft,
  });
  return expect;
}
