// Returns the source text of this folder, for evaluation in the interpreter.
import { addMethods, addRefusals } from "./host.ts";
import { createTimers, install } from "./install.ts";
import { Bytes, createEncoders, fromBase64, toBase64, encodeUtf8, decodeUtf8 } from "./encoding.ts";
import { addCalls } from "./add-calls.ts";
import { dispatchEvent } from "./dispatch-event.ts";
import { createExpect } from "./expect.ts";
import { createLocatorMatchers, createPageMatchers } from "./locator-matchers.ts";
import { Context, Frame, FrameLocator, Input, Locator, Page, Root, Wire } from "./playwright.ts";
import { createValueMatchers, fitsText, hasPart, isSame } from "./value-matchers.ts";
import { RouteAnswer, Route, RouteRules } from "./routes.ts";
import {
  Binary,
  decode,
  encode,
  compileGlob,
  PageUrl,
  QueryPairs,
  show,
  compileUrlTest,
} from "./values.ts";

/** In order: a class comes after the one that it extends. */
const PARTS: readonly { toString(): string }[] = [
  encodeUtf8,
  decodeUtf8,
  toBase64,
  fromBase64,
  Bytes,
  createEncoders,
  Binary,
  encode,
  decode,
  show,
  compileGlob,
  compileUrlTest,
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
  dispatchEvent,
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

/** A script that evaluates to `install`. Only valid if the files are loaded unbundled (UNBUNDLED in scripts/bundle-sources.ts). */
export const buildSurfaceSource = (): string =>
  `(() => {\n${PARTS.map(String).join("\n")}\nreturn install;\n})()`;
