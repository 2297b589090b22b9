// Matchers of locators and pages. One call looks once; expect.ts repeats it.
import type { Locator, Page } from "./playwright.ts";
import { fitsText, isSame, type Matcher, type MatchOptions } from "./value-matchers.ts";

/** Time of one look at an element, so that a missing one does not take the whole wait. */
export function createLocatorMatchers(): Record<string, Matcher> {
  type ReadLocator = (locator: Locator, timed: MatchOptions) => Promise<unknown>;
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
  const ask = (
    given: unknown,
    source: string,
    value: unknown,
    timed: MatchOptions,
  ): Promise<unknown> => call(given, "evaluate", [{ $function: source }, value, timed]);
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
        "(element) => Array.from(element.selectedMatchOptions, (option) => option.value)",
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
