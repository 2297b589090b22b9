// Playwright's `expect` for code in the interpreter: matchers of pages and locators look again
// until they hold or their time is up; matchers of values look once.
import { createLocatorMatchers, createPageMatchers } from "./locator-matchers.ts";
import type { Page } from "./playwright.ts";
import { createValueMatchers, type MatchFinding, type MatchOptions } from "./value-matchers.ts";

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

  const readLastOptions = (values: readonly unknown[]): MatchOptions => {
    const last = values.at(-1);
    const isOptions =
      typeof last === "object" &&
      last !== null &&
      !Array.isArray(last) &&
      !(last instanceof RegExp) &&
      ["timeout", "useInnerText", "ignoreCase"].some((name) => name in last);
    return isOptions ? (last as MatchOptions) : {};
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
