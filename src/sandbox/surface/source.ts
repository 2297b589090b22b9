// Returns the source text of this folder, for evaluation in the interpreter.
import { addMethods, addRefusals } from "./host.ts";
import { createTimers, install } from "./install.ts";
import { Bytes, createEncoders, fromBase64, toBase64, utf8Bytes, utf8Text } from "./encoding.ts";
import {
  createExpect,
  createLocatorMatchers,
  createPageMatchers,
  createValueMatchers,
  fitsText,
  hasPart,
  isSame,
} from "./expect.ts";
import {
  addCalls,
  Context,
  Frame,
  FrameLocator,
  hear,
  Input,
  Locator,
  Page,
  Root,
  Wire,
} from "./playwright.ts";
import { RouteAnswer, Route, RouteRules } from "./routes.ts";
import {
  Binary,
  decode,
  encode,
  globPattern,
  PageUrl,
  QueryPairs,
  show,
  urlTest,
} from "./values.ts";

/** In order: a class comes after the one that it extends. */
const PARTS: readonly { toString(): string }[] = [
  utf8Bytes,
  utf8Text,
  toBase64,
  fromBase64,
  Bytes,
  createEncoders,
  Binary,
  encode,
  decode,
  show,
  globPattern,
  urlTest,
  QueryPairs,
  PageUrl,
  addMethods,
  addRefusals,
  Wire,
  Locator,
  FrameLocator,
  Input,
  Context,
  Root,
  Frame,
  RouteAnswer,
  Route,
  RouteRules,
  Page,
  addCalls,
  hear,
  isSame,
  hasPart,
  fitsText,
  createValueMatchers,
  createLocatorMatchers,
  createPageMatchers,
  createExpect,
  createTimers,
  install,
];

/** A script that evaluates to `install`. Only valid if the files are loaded unbundled. */
export const surfaceSource = (): string =>
  `(() => {\n${PARTS.map(String).join("\n")}\nreturn install;\n})()`;
