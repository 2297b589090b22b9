// Schemas of arguments from the code to Playwright. Objects are strict and rebuilt field by field,
// so that unlisted fields (paths, callbacks, handles, inherited ones) are dropped.
import { z } from "zod";

const TEXT = 100_000;

export const text = z.string().max(TEXT);
export const selector = z.string().min(1).max(10_000);
const number = z.number();
const point = z.strictObject({ x: number, y: number });
const modifiers = z.array(z.enum(["Alt", "Control", "ControlOrMeta", "Meta", "Shift"])).max(5);
const button = z.enum(["left", "right", "middle"]);

/** Timeout of one call. 0 means no limit in Playwright and is not allowed. */
const timeout = z
  .number()
  .min(0)
  .max(300_000)
  .transform((ms) => (ms === 0 ? 300_000 : ms));
export const timed = z.strictObject({ timeout: timeout.optional() }).default({});

/** A regular expression that the page evaluates, not this process. */
const pattern = z
  .strictObject({ $regexp: z.tuple([z.string().max(1_000), z.string().max(10)]) })
  .transform(({ $regexp: [source, flags] }) => new RegExp(source, flags));
export const textOrPattern = z.union([text, pattern]);

const functionText = z
  .strictObject({ $function: z.string().max(TEXT) })
  .transform(({ $function }) => toPageFunction($function));

/** A function or expression for the page. */
export const pageFunction = z.union([functionText, text]);

/** JSON for the page's own code. */
export const pageValue = z.unknown();

/**
 * Playwright takes the text of a function and lets the page evaluate it, so this object only looks
 * like a function: the caller's text never becomes a function of this process.
 */
function toPageFunction(source: string): () => unknown {
  const stand = (): never => {
    throw new Error("This function belongs to the page.");
  };
  return Object.assign(stand, { toString: () => source });
}

const pointing = {
  force: z.boolean(),
  position: point,
  modifiers,
  trial: z.boolean(),
  timeout,
  noWaitAfter: z.boolean(),
};

export const clickOptions = z
  .strictObject({
    ...pointing,
    button,
    clickCount: z.int().min(0).max(10),
    delay: number.max(10_000),
    steps: z.int().max(1_000),
  })
  .partial()
  .default({});
export const doubleClickOptions = z
  .strictObject({ ...pointing, button, delay: number.max(10_000) })
  .partial()
  .default({});
export const pointOptions = z.strictObject(pointing).partial().default({});
export const fillOptions = z
  .strictObject({ force: z.boolean(), timeout, noWaitAfter: z.boolean() })
  .partial()
  .default({});
export const typeOptions = z
  .strictObject({ delay: number.max(10_000), timeout, noWaitAfter: z.boolean() })
  .partial()
  .default({});
export const dragOptions = z
  .strictObject({
    force: z.boolean(),
    timeout,
    trial: z.boolean(),
    sourcePosition: point,
    targetPosition: point,
    steps: z.int().max(1_000),
  })
  .partial()
  .default({});
type Choice = { value?: string; label?: string; index?: number };
const choice = z.strictObject({ value: text, label: text, index: z.int() }).partial();
export const choices = z
  .union([text, choice, z.array(text).max(1_000), z.array(choice).max(1_000), z.null()])
  .transform((given) => given as string | string[] | Choice | Choice[] | null);
export const waitForOptions = z
  .strictObject({
    state: z.enum(["attached", "detached", "visible", "hidden"]),
    timeout,
    strict: z.boolean(),
  })
  .partial()
  .transform(({ state, timeout: ms }) => ({
    ...(state === undefined ? {} : { state }),
    ...(ms === undefined ? {} : { timeout: ms }),
  }))
  .default({});
/** Bytes from the code. */
const MAX_FILES = 10;
const inputFile = z.strictObject({
  name: z
    .string()
    .min(1)
    .max(255)
    .regex(/^[^/\\\0]+$/),
  mimeType: z.string().max(200).default("application/octet-stream"),
  buffer: z.union(
    [
      z
        .strictObject({ $binary: z.base64() })
        .transform(({ $binary }) => Buffer.from($binary, "base64")),
      z.string().transform((given) => Buffer.from(given)),
    ],
    { error: "give a Buffer or a text" },
  ),
});
/** Files by their content: the code has no paths. */
export const inputFiles = z.union([inputFile, z.array(inputFile).max(MAX_FILES)], {
  error: "paths are not available here: give { name, mimeType, buffer } or a list of up to 10",
});

const waitUntil = z.enum(["load", "domcontentloaded", "networkidle", "commit"]);
export const loadState = z
  .enum(["load", "domcontentloaded", "networkidle", "commit"])
  .default("load");
export const navigationOptions = z
  .strictObject({ timeout, waitUntil, referer: text })
  .partial()
  .default({});
export const reloadOptions = z.strictObject({ timeout, waitUntil }).partial().default({});

const picture = {
  type: z.enum(["png", "jpeg"]),
  quality: z.int().min(0).max(100),
  omitBackground: z.boolean(),
  animations: z.enum(["disabled", "allow"]),
  caret: z.enum(["hide", "initial"]),
  scale: z.enum(["css", "device"]),
  timeout,
};
export const elementPictureOptions = z.strictObject(picture).partial().default({});
export const pagePictureOptions = z
  .strictObject({
    ...picture,
    fullPage: z.boolean(),
    clip: z.strictObject({ x: number, y: number, width: number, height: number }),
  })
  .partial()
  .default({});

export const roleOptions = z
  .strictObject({
    name: textOrPattern,
    exact: z.boolean(),
    checked: z.boolean(),
    disabled: z.boolean(),
    expanded: z.boolean(),
    includeHidden: z.boolean(),
    level: z.int(),
    pressed: z.boolean(),
    selected: z.boolean(),
  })
  .partial()
  .default({});
export const exactness = z.strictObject({ exact: z.boolean() }).partial().default({});

export const viewport = z.strictObject({
  width: z.int().min(1).max(7_680),
  height: z.int().min(1).max(4_320),
});
export const polling = z
  .strictObject({ timeout, polling: z.union([z.literal("raf"), number.min(10)]) })
  .partial()
  .default({});
