// A page on loopback that runs two published bot detectors in its browser and reports their
// results.
import { readFile } from "node:fs/promises";
import { createServer, type IncomingMessage } from "node:http";
import { createRequire } from "node:module";
import path from "node:path";
import { text } from "node:stream/consumers";

/** Result of one botd detector: `bot` is true if it detected a bot. */
type BotdFinding = { readonly bot: boolean; readonly botKind?: string };
type ScannerFinding = { readonly detected: boolean; readonly severity: string };

type Identity = {
  readonly userAgent: string;
  readonly languages: readonly string[];
  readonly locale: string;
  readonly timeZone: string;
};

export type DetectorReport = {
  readonly botd: BotdFinding;
  readonly botdFindings: Readonly<Record<string, BotdFinding>>;
  readonly scannerFindings: Readonly<Record<string, ScannerFinding>>;
  readonly signals: {
    readonly userAgent: string;
    readonly brands: readonly string[];
    readonly fullBrands: readonly string[];
    readonly webdriver: boolean | undefined;
    readonly languages: readonly string[];
    readonly plugins: readonly string[];
    readonly pluginFaults: readonly string[];
    readonly mimeTypes: number;
    readonly notification: string | undefined;
    readonly notificationQuery: string;
    readonly outer: readonly [number, number];
    readonly inner: readonly [number, number];
    readonly screen: readonly [number, number];
    readonly chrome: string;
    readonly webgl: readonly string[];
    readonly platform: string;
    readonly locale: string;
    readonly timeZone: string;
    /** Minutes behind UTC now. */
    readonly zoneOffset: number;
    readonly hintPlatform: string | undefined;
    readonly hintMobile: boolean | undefined;
    /** Values that a logging call read, which only an attached protocol does. */
    readonly loggedReads: number;
    /** Names that automation adds to the page. */
    readonly traces: readonly string[];
    readonly touchPoints: number;
    readonly worker: Identity & {
      readonly brands: readonly string[];
      readonly fullBrands: readonly string[];
      readonly webgl: readonly string[];
    };
    /** A frame of another site. */
    readonly frame: Identity & { readonly languageHeader: string };
  };
  /** Names of the page request's headers in the order in which they were sent, in lower case. */
  readonly headerOrder: readonly string[];
  /** Headers of the page request and of its worker's request, names in lower case. */
  readonly headers: IncomingMessage["headers"];
  readonly workerHeaders: IncomingMessage["headers"];
};

const require = createRequire(import.meta.url);
/** Their browser builds are beside those for Node. */
const FILES: Readonly<Record<string, string>> = {
  "/botd.js": path.join(path.dirname(require.resolve("@fingerprintjs/botd")), "botd.esm.js"),
  "/fpscanner.js": path.join(path.dirname(require.resolve("fpscanner")), "fpScanner.es.js"),
};

const PAGE = `<!doctype html><html lang="en"><title>Detectors</title><meta name="viewport" content="width=device-width"><body><h1>What the detectors say</h1>
<p>A page with enough words that it is read as a page, which asks two detectors what they think of this browser.</p>
<script type="module">
import { load } from "/botd.js";
import FingerprintScanner from "/fpscanner.js";
const brandsOf = (list) => (list ?? []).map(({ brand, version }) => brand + " " + version);
const inWorker = () => new Promise((resolve) => {
  new Worker("/worker.js").onmessage = ({ data }) => resolve(data);
});
const inFrame = () => new Promise((resolve) => {
  addEventListener("message", ({ data }) => resolve(data));
  const frame = document.createElement("iframe");
  frame.src = "http://other.test:" + location.port + "/frame";
  document.body.append(frame);
});
const webgl = () => {
  const context = document.createElement("canvas").getContext("webgl");
  const extension = context?.getExtension("WEBGL_debug_renderer_info");
  if (!extension) return [];
  return [extension.UNMASKED_VENDOR_WEBGL, extension.UNMASKED_RENDERER_WEBGL].map((name) => context.getParameter(name));
};
const pluginFaults = () => {
  const { plugins, mimeTypes } = navigator;
  const getter = Object.getOwnPropertyDescriptor(Navigator.prototype, "plugins").get;
  const throws = (action) => { try { action(); return false; } catch (error) { return error instanceof TypeError; } };
  const checks = {
    kinds: String(plugins) === "[object PluginArray]" && plugins instanceof PluginArray && mimeTypes instanceof MimeTypeArray,
    same: navigator.plugins === plugins && navigator.mimeTypes === mimeTypes,
    entries: [...plugins].every((one) => one instanceof Plugin && one.length === 2 && one[0].enabledPlugin === one),
    types: [...mimeTypes].every((one) => one instanceof MimeType && mimeTypes.namedItem(one.type) === one),
    names: plugins.namedItem("PDF Viewer") === plugins[0] && plugins.item(99) === null && plugins.item(2 ** 32) === plugins[0],
    own: Object.keys(plugins).join() === [...plugins].map((_, at) => at).join(),
    native: String(getter).includes("[native code]") && getter.name === "get plugins",
    receiver: throws(() => getter.call({})),
    enabled: navigator.pdfViewerEnabled === (plugins.length > 0),
  };
  return Object.entries(checks).flatMap(([name, holds]) => (holds ? [] : [name]));
};
const loggedReads = () => {
  let reads = 0;
  const error = new Error("");
  Object.defineProperty(error, "stack", { get: () => { reads += 1; return ""; } });
  for (const name of ["log", "debug", "table", "dir"]) console[name](error);
  return reads;
};
const traces = () => {
  const names = [...Object.getOwnPropertyNames(window), ...Object.getOwnPropertyNames(document), ...Object.getOwnPropertyNames(navigator)];
  return names.filter((name) => /playwright|puppeteer|selenium|webdriver|^cdc_|^__pw|__nightmare|callPhantom/i.test(name));
};
const hints = await navigator.userAgentData?.getHighEntropyValues(["fullVersionList"]);
const signals = {
  userAgent: navigator.userAgent,
  brands: brandsOf(navigator.userAgentData?.brands),
  fullBrands: brandsOf(hints?.fullVersionList),
  webdriver: navigator.webdriver,
  languages: navigator.languages,
  plugins: [...navigator.plugins].map(({ name }) => name),
  pluginFaults: pluginFaults(),
  mimeTypes: navigator.mimeTypes.length,
  notification: globalThis.Notification?.permission,
  notificationQuery: (await navigator.permissions.query({ name: "notifications" })).state,
  outer: [outerWidth, outerHeight],
  inner: [innerWidth, innerHeight],
  screen: [screen.width, screen.height],
  chrome: typeof globalThis.chrome,
  webgl: webgl(),
  platform: navigator.platform,
  locale: Intl.DateTimeFormat().resolvedOptions().locale,
  timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  zoneOffset: new Date().getTimezoneOffset(),
  hintPlatform: navigator.userAgentData?.platform,
  hintMobile: navigator.userAgentData?.mobile,
  loggedReads: loggedReads(),
  traces: traces(),
  touchPoints: navigator.maxTouchPoints,
  worker: await inWorker(),
  frame: await inFrame(),
};
const detector = await load({ monitoring: false });
const botd = detector.detect();
const botdFindings = detector.getDetections();
const print = await new FingerprintScanner().collectFingerprint({ encrypt: false });
const report = { botd, botdFindings, scannerFindings: print.fastBotDetectionDetails, signals };
await fetch("/report", { method: "POST", body: JSON.stringify(report) });
document.body.append(" Done.");
</script>`;

const IDENTITY = `{
  userAgent: navigator.userAgent,
  languages: navigator.languages,
  locale: Intl.DateTimeFormat().resolvedOptions().locale,
  timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
}`;

const WORKER = `(async () => {
const brandsOf = (list) => (list ?? []).map(({ brand, version }) => brand + " " + version);
const hints = await navigator.userAgentData?.getHighEntropyValues(["fullVersionList"]);
const context = new OffscreenCanvas(1, 1).getContext("webgl");
const extension = context?.getExtension("WEBGL_debug_renderer_info");
postMessage({
  ...${IDENTITY},
  brands: brandsOf(navigator.userAgentData?.brands),
  fullBrands: brandsOf(hints?.fullVersionList),
  webgl: extension ? [extension.UNMASKED_VENDOR_WEBGL, extension.UNMASKED_RENDERER_WEBGL].map((name) => context.getParameter(name)) : [],
});
})()`;

const buildFrame = (languageHeader: string | undefined): string =>
  `<script>parent.postMessage({ ...${IDENTITY}, languageHeader: ${JSON.stringify(languageHeader ?? "")} }, "*")</script>`;

/** Serves the page at `url`; `report()` resolves with the next report. The caller closes it. */
export async function serveDetectors() {
  const headersOf = new Map<string, IncomingMessage["headers"]>();
  let headerOrder: string[] = [];
  let next = Promise.withResolvers<DetectorReport>();
  const server = createServer((request, response) => {
    const address = request.url ?? "";
    headersOf.set(address, request.headers);
    if (address === "/")
      headerOrder = request.rawHeaders
        .filter((_, at) => at % 2 === 0)
        .map((name) => name.toLowerCase());
    void answer(address, request).then(
      ([type, body]) => response.writeHead(200, { "content-type": type }).end(body),
      () => response.writeHead(404).end(),
    );
  });
  async function answer(address: string, request: IncomingMessage): Promise<[string, string]> {
    if (address === "/") return ["text/html; charset=utf-8", PAGE];
    if (address === "/frame")
      return ["text/html; charset=utf-8", buildFrame(request.headers["accept-language"])];
    if (address === "/worker.js") return ["text/javascript", WORKER];
    if (address === "/report") {
      const sent = JSON.parse(await text(request));
      next.resolve({
        ...sent,
        headerOrder,
        headers: headersOf.get("/") ?? {},
        workerHeaders: headersOf.get("/worker.js") ?? {},
      });
      return ["text/plain", "ok"];
    }
    const file = FILES[address];
    if (file === undefined) throw new Error(`There is no ${address}.`);
    return ["text/javascript", await readFile(file, "utf8")];
  }
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const bound = server.address();
  if (bound === null || typeof bound === "string") throw new Error("no port");
  return {
    url: `http://127.0.0.1:${bound.port}/`,
    async report(): Promise<DetectorReport> {
      const found = await next.promise;
      next = Promise.withResolvers();
      return found;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
