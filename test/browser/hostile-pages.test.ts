// A page that tries every way to reach this machine. The canary listens where no page may connect.
// The same page in a browser without the gate proves that each way would work.
import { createSocket, type Socket as UdpSocket } from "node:dgram";
import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { chromium } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { closeAll, openSite } from "../http-fetching.ts";
import { buildBrowserEngine } from "./engine.ts";
import { testBrowserExecutable } from "./launch.ts";

/** Ways to reach an address, each with its name as the path. */
const WAYS = `
  const at = (name, host = "127.0.0.1") => "http://" + host + ":" + PORT + "/" + name;
  const add = (tag, attributes) => document.body.appendChild(Object.assign(document.createElement(tag), attributes));
  const link = (rel, name) => document.head.appendChild(Object.assign(document.createElement("link"), { rel, href: at(name) }));
  add("img", { src: at("image") });
  add("iframe", { src: at("frame") });
  add("script", { src: at("script") });
  add("video", { src: at("video"), preload: "auto" });
  add("object", { data: at("object") });
  add("div", { style: "background:url(" + at("css") + ")", textContent: "x" });
  link("stylesheet", "stylesheet"); link("prefetch", "prefetch"); link("icon", "icon");
  fetch(at("fetch"), { mode: "no-cors" }).catch(() => {});
  fetch(at("localhost", "localhost"), { mode: "no-cors" }).catch(() => {});
  fetch(at("hex", "0x7f.1"), { mode: "no-cors" }).catch(() => {});
  fetch(at("six", "[::ffff:127.0.0.1]"), { mode: "no-cors" }).catch(() => {});
  fetch("/redirect?" + encodeURIComponent(at("redirect")), { mode: "no-cors" }).catch(() => {});
  const xhr = new XMLHttpRequest(); xhr.open("POST", at("xhr")); xhr.send("x");
  navigator.sendBeacon(at("beacon"), "x");
  new EventSource(at("events"));
  new WebSocket("ws://127.0.0.1:" + PORT + "/socket");
  import(at("module")).catch(() => {});
  new Worker(URL.createObjectURL(new Blob(["fetch('" + at("worker") + "', { mode: 'no-cors' }).catch(() => {})"])));
  add("form", { method: "post", action: at("form"), target: "other" }); add("iframe", { name: "other" }); document.forms[0].submit();
`;
const NAMES =
  "image frame script video object css stylesheet prefetch fetch localhost hex redirect xhr beacon events socket module worker form".split(
    " ",
  );

/** An enhanced page requests pictures and media, too. */
const ALL_KINDS = { enhanced: true };

const RTC = `
  for (const urls of ["stun:127.0.0.1:UDP", "turn:127.0.0.1:UDP?transport=udp", "turn:127.0.0.1:PORT?transport=tcp"]) {
    const connection = new RTCPeerConnection({ iceServers: [{ urls, username: "a", credential: "b" }] });
    connection.createDataChannel("x");
    connection.createOffer().then((offer) => connection.setLocalDescription(offer));
  }
  try { new WebTransport("https://127.0.0.1:UDP/"); } catch {}
`;

const html = (script: string): string =>
  `<!doctype html><title>t</title><body><p>words of a page</p><script>${script}</script>
   <script>setTimeout(() => { document.body.append(document.createElement("hr")); }, 1500)</script>`;

type Canary = { readonly port: number; readonly udpPort: number; readonly seen: Set<string> };
const udpSockets: UdpSocket[] = [];

async function openCanary(): Promise<Canary> {
  const seen = new Set<string>();
  const { port } = await openSite((request, response) => {
    seen.add((request.url ?? "").slice(1));
    response.end();
  });
  const udp = createSocket("udp4", () => seen.add("udp"));
  udp.bind(0, "127.0.0.1");
  await once(udp, "listening");
  udpSockets.push(udp);
  return { port, udpPort: udp.address().port, seen };
}

function openHostileSite(canary: Canary, script: string) {
  const filled = script
    .replaceAll("PORT", String(canary.port))
    .replaceAll("UDP", String(canary.udpPort));
  return openSite((request: IncomingMessage, response: ServerResponse) => {
    const [path, query = ""] = (request.url ?? "").split("?");
    if (path === "/redirect") {
      response.writeHead(302, { location: decodeURIComponent(query) }).end();
      return;
    }
    response.setHeader("content-type", "text/html");
    response.end(html(filled));
  });
}

let executable: string;
beforeAll(async () => {
  executable = await testBrowserExecutable();
});
const engines: ReturnType<typeof buildBrowserEngine>[] = [];
function engineFor(...options: Parameters<typeof buildBrowserEngine>) {
  const engine = buildBrowserEngine(...options);
  engines.push(engine);
  return engine;
}
afterEach(async () => {
  for (const engine of engines.splice(0)) await engine.close();
  for (const socket of udpSockets.splice(0)) socket.close();
  await closeAll();
});
afterAll(closeAll);

describe("pages that try to reach this machine", () => {
  it("reaches this machine in every way without the gate", async () => {
    const canary = await openCanary();
    const { base } = await openHostileSite(canary, WAYS + RTC);
    const browser = await chromium.launch({ executablePath: executable, chromiumSandbox: false });
    try {
      const page = await browser.newPage();
      await page.goto(base);
      await expect.poll(() => NAMES.filter((name) => !canary.seen.has(name))).toEqual([]);
      await expect.poll(() => canary.seen.has("udp")).toBe(true);
    } finally {
      await browser.close();
    }
  });

  it("does not reach this machine in any way through the engine", async () => {
    const canary = await openCanary();
    const { base, port } = await openHostileSite(canary, WAYS);
    const engine = engineFor({ config: { egressAllow: [`127.0.0.1:${port}`] } });
    const capture = await engine.capture({ url: base, waitForMs: 1_500, ...ALL_KINDS });
    expect(capture.text).toContain("words of a page");
    expect([...canary.seen]).toEqual([]);
  });

  it("sends no datagrams and no TURN past the proxy", async () => {
    const canary = await openCanary();
    const { base, port } = await openHostileSite(canary, RTC);
    const engine = engineFor({ config: { egressAllow: [`127.0.0.1:${port}`] } });
    const capture = await engine.capture({ url: base, waitForMs: 2_500, ...ALL_KINDS });
    expect(capture.text).toContain("words of a page");
    expect([...canary.seen]).toEqual([]);
  });

  it("does not reach this machine by DNS rebinding on any port", async () => {
    const canary = await openCanary();
    const { port } = await openHostileSite(canary, "");
    const engine = engineFor({
      config: { egressAllow: [`rebind.example:${port}`] },
      lookup: async () => ["127.0.0.1"],
    });
    const site = await openHostileSite(
      canary,
      `fetch("http://rebind.example:PORT/rebound", { mode: "no-cors" }).catch(() => {}); new WebSocket("ws://rebind.example:PORT/rebound");`,
    );
    const failed = await engine.failure({ url: `http://rebind.example:${site.port}/` });
    expect(failed.code).toBe("UNSUPPORTED_SITE");
    const { text } = await engine.capture({ url: `http://rebind.example:${port}/` });
    expect(text).toContain("words of a page");
    expect([...canary.seen]).toEqual([]);
  });

  it("does not reach this machine by a redirect or another scheme", async () => {
    const canary = await openCanary();
    const { base, port } = await openHostileSite(canary, "");
    const engine = engineFor({ config: { egressAllow: [`127.0.0.1:${port}`] } });
    const target = encodeURIComponent(`http://127.0.0.1:${canary.port}/x`);
    expect((await engine.failure({ url: `${base}/redirect?${target}` })).code).toBe(
      "UNSUPPORTED_SITE",
    );
    for (const scheme of [
      "file:///etc/passwd",
      "chrome://version",
      "data:text/html,x",
      "view-source:http://a.example/",
    ]) {
      const failure = await engine.failure({
        url: `${base}/redirect?${encodeURIComponent(scheme)}`,
      });
      expect(failure.code, scheme).toBe("SCRAPE_SITE_ERROR");
    }
    expect([...canary.seen]).toEqual([]);
  });

  it("cannot navigate to files, browser pages or other windows", async () => {
    const canary = await openCanary();
    for (const script of [
      `location.href = "file:///etc/passwd"`,
      `location.href = "chrome://version"`,
      `location.href = "view-source:" + location.href`,
      `document.body.append(Object.assign(document.createElement("iframe"), { src: "file:///etc/passwd" }))`,
      `open("file:///etc/passwd"); open("http://127.0.0.1:PORT/window")`,
      `fetch("file:///etc/passwd").then((r) => r.text()).then((text) => document.body.append(text))`,
    ]) {
      const { base, port } = await openHostileSite(canary, script);
      const engine = engineFor({ config: { egressAllow: [`127.0.0.1:${port}`] } });
      const capture = await engine.capture({ url: base });
      expect(capture.finalUrl, script).toBe(`${base}/`);
      expect(capture.text, script).toContain("words of a page");
      expect(capture.text, script).not.toContain("root:");
      await engine.close();
    }
    expect([...canary.seen]).toEqual([]);
  });

  it("leaves no service worker behind and saves no download", async () => {
    const { base } = await openSite((request, response) => {
      if (request.url === "/worker.js")
        response
          .writeHead(200, { "content-type": "text/javascript" })
          .end("self.addEventListener('fetch', () => {});");
      else if (request.url === "/file")
        response.writeHead(200, { "content-disposition": "attachment; filename=x.exe" }).end("MZ");
      else
        response.writeHead(200, { "content-type": "text/html" }).end(
          html(`navigator.serviceWorker?.register("/worker.js").then(() => navigator.serviceWorker.getRegistrations())
            .then((list) => { document.body.append("registered " + (list ?? []).length); }, () => { document.body.append("registered none"); });
            document.body.append(Object.assign(document.createElement("iframe"), { src: "/file" }));`),
        );
    });
    const engine = engineFor();
    const capture = await engine.capture({ url: base, waitForMs: 1_000 });
    expect(capture.text).toContain("words of a page");
    expect(capture.text).not.toMatch(/registered [1-9]/);
    expect((await engine.fetch({ url: `${base}/file` })).kind).toBe("unsuitable");
  });

  it("aborts a page that loads more bytes than the limit", async () => {
    const { base } = await openSite((request, response) => {
      response.setHeader("content-type", request.url === "/" ? "text/html" : "image/png");
      if (request.url === "/")
        response.end(html(`fetch("/endless").then((answer) => answer.text())`));
      else {
        const more = (): void => {
          while (!response.destroyed && response.write(Buffer.alloc(65_536)));
        };
        response.on("drain", more);
        more();
      }
    });
    const engine = engineFor({ config: { maxBodyBytes: 1_000_000 } });
    const { text, warnings } = await engine.capture({ url: base, waitForMs: 1_000 });
    expect(text).toContain("words of a page");
    expect(warnings).toContainEqual(expect.stringContaining("exceeded the size limit"));
  });
});
