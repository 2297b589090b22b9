// The DevTools address of a session: a client controls its page and nothing else.
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { chromium } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { testBrowserExecutable } from "../../browser/launch.ts";
import { isRemote, startService, type Service } from "../../service.ts";

let site: Server;
let origin: string;
let service: Service;

type Opened = { readonly id: string; readonly cdpUrl: string };

const open = async (from: Service): Promise<Opened> =>
  (await from.ask("/v2/browser", { method: "POST", body: {} })).body as unknown as Opened;

const start = async (browserCdp: boolean): Promise<Service> =>
  await startService(undefined, {
    egressAllow: [new URL(origin).host],
    browser: await testBrowserExecutable(),
    browserCdp,
  });

/** Sends one command to the page and returns its answer. */
async function command(
  url: string,
  method: string,
  params: object,
  sessionId?: string,
): Promise<string> {
  const socket = new WebSocket(url);
  await new Promise((resolve, reject) => {
    socket.once("open", resolve);
    socket.once("error", reject);
  });
  const answer = new Promise<string>((resolve, reject) => {
    socket.on("message", (data: Buffer) => {
      if (data.toString().includes('"id":7')) resolve(data.toString());
    });
    socket.once("close", (code) => reject(new Error(`closed ${code}`)));
  });
  socket.send(
    JSON.stringify({ id: 7, method, params, ...(sessionId === undefined ? {} : { sessionId }) }),
  );
  return await answer.finally(() => socket.close());
}

describe.skipIf(isRemote)("DevTools address", () => {
  beforeAll(async () => {
    site = createServer((_request, response) => {
      response.setHeader("content-type", "text/html");
      response.end("<title>Shop</title><button onclick=\"document.title='clicked'\">More</button>");
    });
    await new Promise<void>((resolve) => void site.listen(0, "127.0.0.1", resolve));
    origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
    service = await start(true);
  });
  afterAll(async () => {
    await service.close();
    site.close();
  });

  it("Playwright controls the page through the DevTools address", async () => {
    const { id, cdpUrl } = await open(service);
    expect(cdpUrl).toMatch(/^ws:\/\/127\.0\.0\.1:\d+\/cdp\/[\w-]{43}$/);
    const browser = await chromium.connectOverCDP(cdpUrl);
    const page = browser.contexts()[0]?.pages()[0];
    await page?.goto(`${origin}/`);
    await page?.getByRole("button", { name: "More" }).click();
    expect(await page?.title()).toBe("clicked");
    await browser.close();
    const body = { code: "await page.title()" };
    const seen = await service.ask(`/v2/browser/${id}/execute`, { method: "POST", body });
    expect(seen.body["result"]).toBe("clicked");
    await service.ask(`/v2/browser/${id}`, { method: "DELETE" });
    await expect(command(cdpUrl, "Browser.getVersion", {})).rejects.toThrow("closed 1008");
  });

  it.each([
    ["Page.navigate", { url: "file:///etc/passwd" }, "page"],
    ["Page.navigate", { url: "chrome://version" }, "page"],
    ["DOM.setFileInputFiles", { files: ["/etc/passwd"], nodeId: 1 }, "page"],
    ["Page.setDownloadBehavior", { behavior: "allow", downloadPath: "/tmp" }, "page"],
    ["Network.loadNetworkResource", { url: "file:///etc/passwd", options: {} }, "page"],
    ["Target.createBrowserContext", { proxyServer: "direct://" }, undefined],
    ["Target.createBrowserContext", { proxyServer: "direct://" }, "page"],
    ["Target.createTarget", { url: "file:///etc/passwd" }, undefined],
    ["Target.exposeDevToolsProtocol", { targetId: "quarry-page" }, "page"],
    ["Target.attachToBrowserTarget", {}, undefined],
    ["Browser.close", {}, undefined],
    ["Browser.crash", {}, "page"],
    ["Tracing.start", {}, "page"],
    ["SystemInfo.getInfo", {}, undefined],
    ["Storage.getCookies", {}, undefined],
    ["IO.read", { handle: "1" }, "page"],
    ["Fetch.enable", {}, "page"],
    ["constructor.constructor", {}, "page"],
    ["__proto__.toString", {}, "page"],
    ["Runtime.evaluate", { expression: "1" }, "another"],
  ])("rejects the DevTools command %s %j", async (method, params, sessionId) => {
    const { id, cdpUrl } = await open(service);
    expect(await command(cdpUrl, method, params, sessionId)).toContain('"error"');
    await service.ask(`/v2/browser/${id}`, { method: "DELETE" });
  });

  it("returns no DevTools address unless the operator enables it", async () => {
    const closed = await start(false);
    try {
      const { id, cdpUrl } = await open(closed);
      expect(cdpUrl).toBe("");
      await closed.ask(`/v2/browser/${id}`, { method: "DELETE" });
    } finally {
      await closed.close();
    }
  });
});
