// What a headless browser lacks beside the same browser with a window, for sites that turn away whatever looks driven.
// By the protocol where it can be; a script in the page only for what the headless shell was built without.
import type { CDPSession } from "playwright-core";

type Getter = () => unknown;
type Listed = Record<string | symbol, unknown>;
type Interface = { readonly prototype: Record<string, (index: number | string) => unknown> };

declare const navigator: { readonly plugins: ArrayLike<unknown> };
declare const Navigator: { readonly prototype: object };
declare const Plugin: Interface;
declare const PluginArray: Interface;
declare const MimeType: Interface;
declare const MimeTypeArray: Interface;

/** The frame of a window with its tabs and its address. */
const FRAME_HEIGHT = 86;

type Size = { readonly width: number; readonly height: number };

/**
 * For what the page of `session` opens from now on; `viewport` is undefined for a phone, whose window is its page. What this
 * browser cannot be told is left as it is.
 */
export async function enhance(session: CDPSession, viewport: Size | undefined): Promise<void> {
  await Promise.all([
    viewport === undefined ? undefined : frame(session, viewport).catch(() => undefined),
    session.send("Page.enable").then(() =>
      session.send("Page.addScriptToEvaluateOnNewDocument", {
        source: `(${completeNavigator.toString()})()`,
        runImmediately: true,
      }),
    ),
  ]);
}

async function frame(session: CDPSession, { width, height }: Size): Promise<void> {
  const { windowId } = await session.send("Browser.getWindowForTarget");
  const bounds = { width, height: height + FRAME_HEIGHT };
  await session.send("Browser.setWindowBounds", { windowId, bounds });
}

/**
 * Runs in the page, before its own scripts: the PDF viewer that every Chromium with a window lists (HTML, 8.10.1.6), and
 * `chrome`. In a browser that has them it does nothing.
 */
function completeNavigator(): void {
  if (!("chrome" in globalThis))
    Object.defineProperty(globalThis, "chrome", {
      value: { app: { isInstalled: false } },
      writable: true,
      enumerable: true,
      configurable: true,
    });
  if (navigator.plugins.length > 0) return;
  const hide = (target: Listed, name: string | symbol, value: unknown): Listed =>
    Object.defineProperty(target, name, { value, configurable: true });
  // A native function behind a proxy still prints as native code.
  const like = (native: (index: number | string) => unknown, answer: (key: never) => unknown) =>
    new Proxy(native, { apply: (_native, _self, [key]) => answer(key as never) ?? null });
  const list = (kind: Interface, entries: readonly Listed[], nameOf: string, rest: Listed) => {
    const target: Listed = Object.create(kind.prototype);
    entries.forEach((entry, index) =>
      Object.defineProperty(target, index, { value: entry, configurable: true, enumerable: true }),
    );
    for (const entry of entries) hide(target, String(entry[nameOf]), entry);
    const own: Listed = Object.assign(Object.create(null), rest, { length: entries.length });
    const { item, namedItem, refresh } = kind.prototype;
    if (item) own["item"] = like(item, (index: number) => entries[index >>> 0]);
    if (namedItem)
      own["namedItem"] = like(namedItem, (name: string) =>
        entries.find((entry) => entry[nameOf] === String(name)),
      );
    if (refresh) own["refresh"] = new Proxy(refresh, { apply: () => undefined });
    return new Proxy(target, {
      get: (object, key) => (key in own ? own[key as string] : Reflect.get(object, key)),
    });
  };
  const description = "Portable Document Format";
  const kinds = ["application/pdf", "text/pdf"];
  const names = ["PDF Viewer", "Chrome PDF Viewer", "Chromium PDF Viewer"];
  names.push("Microsoft Edge PDF Viewer", "WebKit built-in PDF");
  let plugins: Listed[] = [];
  const typesOf = (at: number): Listed[] =>
    kinds.map((type) => {
      const own: Listed = { type, suffixes: "pdf", description };
      return new Proxy(Object.create(MimeType.prototype) as Listed, {
        get: (object, key) =>
          key === "enabledPlugin"
            ? plugins[at]
            : key in own
              ? own[key as string]
              : Reflect.get(object, key),
      });
    });
  plugins = names.map((name, at) =>
    list(Plugin, typesOf(at), "type", { name, description, filename: "internal-pdf-viewer" }),
  );
  const answers: Record<string, unknown> = {
    plugins: list(PluginArray, plugins, "name", {}),
    mimeTypes: list(MimeTypeArray, typesOf(0), "type", {}),
    pdfViewerEnabled: true,
  };
  for (const [name, answer] of Object.entries(answers)) {
    const property = Object.getOwnPropertyDescriptor(Navigator.prototype, name);
    if (property?.get === undefined) continue;
    const get = new Proxy(Reflect.get(property, "get") as Getter, {
      apply: (native, self) => {
        // What is no navigator gets the error it would get.
        Reflect.apply(native, self, []);
        return answer;
      },
    });
    Object.defineProperty(Navigator.prototype, name, { ...property, get });
  }
}
