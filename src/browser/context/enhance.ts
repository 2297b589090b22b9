// Adds what a headless browser lacks compared with one with a window, for sites that reject
// automation. Uses the protocol where possible, and a page script only for features that the
// headless shell was built without.
import type { CDPSession } from "playwright-core";

type Getter = () => unknown;
type ListedVoice = Record<string | symbol, unknown>;
type Interface = { readonly prototype: Record<string, (index: number | string) => unknown> };

declare const console: Record<string, unknown>;
declare const navigator: { readonly plugins: ArrayLike<unknown> };
declare const Navigator: { readonly prototype: object };
declare const Plugin: Interface;
declare const PluginArray: Interface;
declare const MimeType: Interface;
declare const MimeTypeArray: Interface;

/** Height of the window frame with tabs and address bar. */
const FRAME_HEIGHT_PX = 86;

type Size = { readonly width: number; readonly height: number };

/**
 * Applies to pages that `session` opens from now on. `viewport` is undefined for a phone, whose
 * window is the page. Unsupported settings are skipped.
 */
export async function enhance(session: CDPSession, viewport: Size | undefined): Promise<void> {
  await Promise.all([
    viewport === undefined ? undefined : setFrameSize(session, viewport).catch(() => undefined),
    session.send("Page.enable").then(() =>
      session.send("Page.addScriptToEvaluateOnNewDocument", {
        source: SOURCE,
        runImmediately: true,
      }),
    ),
  ]);
}

async function setFrameSize(session: CDPSession, { width, height }: Size): Promise<void> {
  const { windowId } = await session.send("Browser.getWindowForTarget");
  const bounds = { width, height: height + FRAME_HEIGHT_PX };
  await session.send("Browser.setWindowBounds", { windowId, bounds });
}

/**
 * Runs in the page before its own scripts: adds the PDF viewer that every windowed Chromium lists
 * (HTML, 8.10.1.6), and `chrome`. Does nothing in a browser that has them.
 */
function completeNavigator(): void {
  if (!("chrome" in globalThis))
    Object.defineProperty(globalThis, "chrome", {
      value: { app: { isInstalled: false } },
      writable: true,
      enumerable: true,
      configurable: true,
    });
  silenceConsole();
  if (navigator.plugins.length > 0) return;
  const plugins: ListedVoice[] = [];
  const names = ["PDF Viewer", "Chrome PDF Viewer", "Chromium PDF Viewer"];
  names.push("Microsoft Edge PDF Viewer", "WebKit built-in PDF");
  for (const [at, name] of names.entries()) {
    const about = {
      name,
      description: "Portable Document Format",
      filename: "internal-pdf-viewer",
    };
    plugins.push(makeList(Plugin, makeTypes(plugins, at), "type", about));
  }
  answerWith("plugins", makeList(PluginArray, plugins, "name", {}));
  answerWith("mimeTypes", makeList(MimeTypeArray, makeTypes(plugins, 0), "type", {}));
  answerWith("pdfViewerEnabled", true);
}

/** The attached protocol reads what a page logs, which the page can notice by a getter. */
function silenceConsole(): void {
  for (const name of Object.keys(console)) {
    const native = console[name];
    if (typeof native === "function") console[name] = new Proxy(native, { apply: () => undefined });
  }
}

/** Creates an object with `entries` by index and name, like the browser's own lists. */
function makeList(
  kind: Interface,
  entries: readonly ListedVoice[],
  nameOf: string,
  rest: ListedVoice,
): ListedVoice {
  const target: ListedVoice = Object.create(kind.prototype);
  for (const [index, value] of entries.entries())
    Object.defineProperty(target, index, { value, configurable: true, enumerable: true });
  for (const value of entries)
    Object.defineProperty(target, String(value[nameOf]), { value, configurable: true });
  const own: ListedVoice = Object.assign(Object.create(null), rest, { length: entries.length });
  const { item, namedItem, refresh } = kind.prototype;
  if (item) own["item"] = makeLike(item, (index) => entries[Number(index) >>> 0]);
  if (namedItem)
    own["namedItem"] = makeLike(namedItem, (name) =>
      entries.find((entry) => entry[nameOf] === String(name)),
    );
  if (refresh) own["refresh"] = new Proxy(refresh, { apply: () => undefined });
  return answerFrom(own, target);
}

/**
 * Returns the MIME types of the plugin at `at`. They refer to the plugin, which is created after
 * its types.
 */
function makeTypes(plugins: readonly ListedVoice[], at: number): ListedVoice[] {
  return ["application/pdf", "text/pdf"].map((type) => {
    const own: ListedVoice = { type, suffixes: "pdf", description: "Portable Document Format" };
    Object.defineProperty(own, "enabledPlugin", { get: () => plugins[at] });
    return answerFrom(own, Object.create(MimeType.prototype) as ListedVoice);
  });
}

/** Wraps `target` so that the properties of `own` take precedence. */
function answerFrom(own: ListedVoice, target: ListedVoice): ListedVoice {
  return new Proxy(target, {
    get: (object, key) => (key in own ? own[key as string] : Reflect.get(object, key)),
  });
}

/** A native function behind a proxy still prints as native code. */
function makeLike(
  native: (key: number | string) => unknown,
  answer: (key: number | string) => unknown,
): unknown {
  return new Proxy(native, { apply: (_native, _self, [key]) => answer(key) ?? null });
}

function answerWith(name: string, answer: unknown): void {
  const property = Object.getOwnPropertyDescriptor(Navigator.prototype, name);
  if (property?.get === undefined) return;
  const get = new Proxy(Reflect.get(property, "get") as Getter, {
    apply: (native, self) => {
      // A receiver that is not a navigator gets the original error.
      Reflect.apply(native, self, []);
      return answer;
    },
  });
  Object.defineProperty(Navigator.prototype, name, { ...property, get });
}

/** Wrapped in a function to hide its names from the page. */
const SOURCE = `(() => { "use strict";
${[completeNavigator, silenceConsole, makeList, makeTypes, answerFrom, makeLike, answerWith].map(String).join("\n")}
completeNavigator(); })()`;
