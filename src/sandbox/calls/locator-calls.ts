import type { FrameLocator, Locator } from "playwright-core";
import { z } from "zod";
import { validateCall, type Evaluator, type LocatorCalls } from "./call.ts";
import {
  choices,
  clickOptions,
  doubleClickOptions,
  dragOptions,
  elementPictureOptions,
  exactness,
  fillOptions,
  inputFiles,
  pageFunction,
  pageValue,
  pointOptions,
  roleOptions,
  selector,
  text,
  textOrPattern,
  timed,
  typeOptions,
  waitForOptions,
} from "./arguments.ts";

/** Resolves a locator in an argument. */
export type Resolve = (target: unknown) => Locator;

type LocatorReadName =
  | "textContent"
  | "innerText"
  | "innerHTML"
  | "inputValue"
  | "isChecked"
  | "isDisabled"
  | "isEditable"
  | "isEnabled";

const read = (name: LocatorReadName) =>
  validateCall([timed], (locator: Locator, options) => locator[name](options));
const createPointerCall = (name: "hover" | "tap" | "check" | "uncheck") =>
  validateCall([pointOptions], (locator: Locator, options) => locator[name](options));

/** Asynchronous calls on an element. */
export const createLocatorCalls = (resolve: Resolve): LocatorCalls =>
  ({
    textContent: read("textContent"),
    innerText: read("innerText"),
    innerHTML: read("innerHTML"),
    inputValue: read("inputValue"),
    isChecked: read("isChecked"),
    isDisabled: read("isDisabled"),
    isEditable: read("isEditable"),
    isEnabled: read("isEnabled"),
    isHidden: validateCall([], (locator: Locator) => locator.isHidden()),
    isVisible: validateCall([], (locator: Locator) => locator.isVisible()),
    hover: createPointerCall("hover"),
    tap: createPointerCall("tap"),
    check: createPointerCall("check"),
    uncheck: createPointerCall("uncheck"),
    count: validateCall([], (locator: Locator) => locator.count()),
    allTextContents: validateCall([], (locator: Locator) => locator.allTextContents()),
    allInnerTexts: validateCall([], (locator: Locator) => locator.allInnerTexts()),
    getAttribute: validateCall([text, timed], (locator: Locator, name, options) =>
      locator.getAttribute(name, options),
    ),
    boundingBox: validateCall([timed], (locator: Locator, options) => locator.boundingBox(options)),
    click: validateCall([clickOptions], (locator: Locator, options) => locator.click(options)),
    dblclick: validateCall([doubleClickOptions], (locator: Locator, options) =>
      locator.dblclick(options),
    ),
    fill: validateCall([text, fillOptions], (locator: Locator, value, options) =>
      locator.fill(value, options),
    ),
    clear: validateCall([fillOptions], (locator: Locator, options) => locator.clear(options)),
    press: validateCall([text, typeOptions], (locator: Locator, key, options) =>
      locator.press(key, options),
    ),
    pressSequentially: validateCall([text, typeOptions], (locator: Locator, value, options) =>
      locator.pressSequentially(value, options),
    ),
    type: validateCall([text, typeOptions], (locator: Locator, value, options) =>
      locator.pressSequentially(value, options),
    ),
    focus: validateCall([timed], (locator: Locator, options) => locator.focus(options)),
    blur: validateCall([timed], (locator: Locator, options) => locator.blur(options)),
    setChecked: validateCall([z.boolean(), pointOptions], (locator: Locator, checked, options) =>
      locator.setChecked(checked, options),
    ),
    selectOption: validateCall([choices, fillOptions], (locator: Locator, values, options) =>
      locator.selectOption(values, options),
    ),
    setInputFiles: validateCall([inputFiles, timed], (locator: Locator, files, options) =>
      locator.setInputFiles(files, options),
    ),
    selectText: validateCall([timed], (locator: Locator, options) => locator.selectText(options)),
    scrollIntoViewIfNeeded: validateCall([timed], (locator: Locator, options) =>
      locator.scrollIntoViewIfNeeded(options),
    ),
    dispatchEvent: validateCall(
      [text, pageValue, timed],
      (locator: Evaluator, name, value, options) => locator.dispatchEvent(name, value, options),
    ),
    dragTo: validateCall(
      [z.strictObject({ $locator: z.unknown() }), dragOptions],
      (locator: Locator, target, options) => locator.dragTo(resolve(target.$locator), options),
    ),
    waitFor: validateCall([waitForOptions], (locator: Locator, options) =>
      locator.waitFor(options),
    ),
    evaluate: validateCall(
      [pageFunction, pageValue, timed],
      (locator: Evaluator, run, value, options) => locator.evaluate(run, value, options),
    ),
    evaluateAll: validateCall([pageFunction, pageValue], (locator: Evaluator, run, value) =>
      locator.evaluateAll(run, value),
    ),
    screenshot: validateCall([elementPictureOptions], (locator: Locator, options) =>
      locator.screenshot(options),
    ),
    ariaSnapshot: validateCall([timed], (locator: Locator, options) =>
      locator.ariaSnapshot(options),
    ),
  }) as unknown as LocatorCalls;

type Root = Pick<
  Locator,
  | "locator"
  | "getByRole"
  | "getByText"
  | "getByLabel"
  | "getByPlaceholder"
  | "getByAltText"
  | "getByTitle"
  | "getByTestId"
  | "frameLocator"
>;
type AnyLocator = Locator | FrameLocator;
type StepCalls = Readonly<
  Record<
    string,
    { readonly run: (root: Root & Partial<Locator>, values: readonly unknown[]) => AnyLocator }
  >
>;

const roleNames = z.string().max(50);
type Role = Parameters<Locator["getByRole"]>[0];

/** Steps from a page, frame or element to elements inside it. */
export function createStepCalls(resolve: Resolve): StepCalls {
  const inner = z
    .strictObject({ $locator: z.unknown() })
    .transform(({ $locator }) => resolve($locator));
  const within = z
    .strictObject({ has: inner, hasNot: inner, hasText: textOrPattern, hasNotText: textOrPattern })
    .partial()
    .default({});
  const filters = z
    .strictObject({
      has: inner,
      hasNot: inner,
      hasText: textOrPattern,
      hasNotText: textOrPattern,
      visible: z.boolean(),
    })
    .partial()
    .default({});
  const by = (
    name: "getByText" | "getByLabel" | "getByPlaceholder" | "getByAltText" | "getByTitle",
  ) =>
    validateCall([textOrPattern, exactness], (root: Root, value, options) =>
      root[name](value, options),
    );
  return {
    locator: validateCall([z.union([selector, inner]), within], (root: Root, value, options) =>
      root.locator(value, options),
    ),
    getByRole: validateCall([roleNames, roleOptions], (root: Root, role, options) =>
      root.getByRole(role as Role, options),
    ),
    getByText: by("getByText"),
    getByLabel: by("getByLabel"),
    getByPlaceholder: by("getByPlaceholder"),
    getByAltText: by("getByAltText"),
    getByTitle: by("getByTitle"),
    getByTestId: validateCall([textOrPattern], (root: Root, value) => root.getByTestId(value)),
    frameLocator: validateCall([selector], (root: Root, value) => root.frameLocator(value)),
    contentFrame: validateCall([], (locator: Locator) => locator.contentFrame()),
    owner: validateCall([], (frame: FrameLocator) => frame.owner()),
    first: validateCall([], (locator: Locator) => locator.first()),
    last: validateCall([], (locator: Locator) => locator.last()),
    nth: validateCall([z.int()], (locator: Locator, at) => locator.nth(at)),
    filter: validateCall([filters], (locator: Locator, options) => locator.filter(options)),
    and: validateCall([inner], (locator: Locator, other) => locator.and(other)),
    or: validateCall([inner], (locator: Locator, other) => locator.or(other)),
  } as unknown as StepCalls;
}
