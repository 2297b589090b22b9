// Returns the source text of this folder, for evaluation in the interpreter.
import { addMethods, addRefusals } from "./host.ts";
import { createTimers, install } from "./install.ts";
import { Context, FrameLocator, hear, Input, Locator, Page, Wire } from "./playwright.ts";
import { Binary, decode, encode, globPattern, PageUrl, show, urlTest } from "./values.ts";

const PARTS: readonly { toString(): string }[] = [
  Binary,
  encode,
  decode,
  show,
  globPattern,
  urlTest,
  PageUrl,
  addMethods,
  addRefusals,
  Wire,
  Locator,
  FrameLocator,
  Input,
  Context,
  Page,
  hear,
  createTimers,
  install,
];

/** A script that evaluates to `install`. Only valid if the files are loaded unbundled. */
export const surfaceSource = (): string =>
  `(() => {\n${PARTS.map(String).join("\n")}\nreturn install;\n})()`;
