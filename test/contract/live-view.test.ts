// The live view of a session: who may see it, what it shows, and who may control the page.
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { launchTestBrowser, testBrowserExecutable } from "../browser/launch.ts";
import { isRemote, startService, type Service } from "../service.ts";

let site: Server;
let origin: string;
let service: Service;
let browser: Browser;

const PAGE = `<title>Shop</title><body style="margin:0"><button style="width:100vw;height:100vh" onclick="document.title = 'clicked'">All</button>
<script>addEventListener("keydown", (event) => { document.body.dataset.key = event.key })</script>`;

type Opened = {
  readonly id: string;
  readonly liveViewUrl: string;
  readonly interactiveLiveViewUrl: string;
};

async function open(body: object = {}): Promise<Opened> {
  const answer = await service.ask("/v2/browser", { method: "POST", body });
  const opened = answer.body as unknown as Opened;
  await execute(opened.id, `await page.goto("${origin}/")`);
  return opened;
}

async function execute(id: string, code: string): Promise<unknown> {
  const path = `/v2/browser/${id}/execute`;
  return (await service.ask(path, { method: "POST", body: { code } })).body["result"];
}

/** Connects and waits for the first picture; rejects with the close code without one. */
async function connect(url: string): Promise<{ socket: WebSocket; first: Buffer }> {
  const socket = new WebSocket(`${url.replace(/^http/, "ws")}/screen`);
  const first = await new Promise<Buffer>((resolve, reject) => {
    socket.once("message", (data) => resolve(data as Buffer));
    socket.once("close", (code) => reject(new Error(`closed ${code}`)));
    socket.once("error", reject);
  });
  return { socket, first };
}

describe.skipIf(isRemote)("live view", () => {
  beforeAll(async () => {
    site = createServer((_request, response) => {
      response.setHeader("content-type", "text/html");
      response.end(PAGE);
    });
    await new Promise<void>((resolve) => void site.listen(0, "127.0.0.1", resolve));
    origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
    service = await startService(undefined, {
      egressAllow: [new URL(origin).host],
      browser: await testBrowserExecutable(),
    });
    browser = await launchTestBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await service.close();
    site.close();
  });

  it("shows the session as pictures on a page that loads nothing else", async () => {
    const { id, liveViewUrl } = await open();
    const answer = await fetch(liveViewUrl);
    const policy = answer.headers.get("content-security-policy") ?? "";
    expect(policy).toMatch(
      /^default-src 'none'; script-src 'nonce-[^']+'; style-src 'nonce-[^']+'; connect-src 'self'/,
    );
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.headers.get("referrer-policy")).toBe("no-referrer");
    const viewer = await browser.newPage();
    const faults: string[] = [];
    viewer.on("console", (message) => faults.push(message.text()));
    await viewer.goto(liveViewUrl);
    await viewer.locator("canvas:not([width='16'])").waitFor();
    expect(faults).toEqual([]);
    await service.ask(`/v2/browser/${id}`, { method: "DELETE" });
    await viewer.getByText("The session has ended.").waitFor();
    expect((await fetch(liveViewUrl)).status).toBe(404);
    await viewer.close();
  });

  it("accepts input only through the interactive address", async () => {
    const { id, liveViewUrl, interactiveLiveViewUrl } = await open();
    const { socket: watching, first } = await connect(liveViewUrl);
    expect(first.subarray(0, 3)).toEqual(Buffer.from([0xff, 0xd8, 0xff]));
    const press = (socket: WebSocket) => {
      socket.send(JSON.stringify({ type: "down", x: 0.5, y: 0.5, button: "left" }));
      socket.send(JSON.stringify({ type: "up", x: 0.5, y: 0.5, button: "left" }));
    };
    press(watching);
    await execute(id, "await page.waitForTimeout(200)");
    expect(await execute(id, "await page.title()")).toBe("Shop");
    const { socket: driving } = await connect(interactiveLiveViewUrl);
    driving.send("not JSON");
    driving.send(JSON.stringify({ type: "keydown", key: "NoSuchKey" }));
    press(driving);
    driving.send(JSON.stringify({ type: "keydown", key: "a" }));
    expect(
      await execute(
        id,
        `await page.waitForFunction(() => document.title === "clicked" && document.body.dataset.key === "a"); "done"`,
      ),
    ).toBe("done");
    watching.close();
    driving.close();
    await service.ask(`/v2/browser/${id}`, { method: "DELETE" });
  });

  it("rejects viewers without a token and sessions without a view", async () => {
    const { id, liveViewUrl } = await open();
    const forged = liveViewUrl.slice(0, -4) + "AAAA";
    expect((await fetch(forged)).status).toBe(404);
    await expect(connect(forged)).rejects.toThrow("closed 1008");
    await expect(connect(`${service.url}/live/short`)).rejects.toThrow();
    const hidden = await open({ streamWebView: false });
    expect(hidden).toMatchObject({ liveViewUrl: "", interactiveLiveViewUrl: "" });
    await service.ask(`/v2/browser/${hidden.id}`, { method: "DELETE" });
    await service.ask(`/v2/browser/${id}`, { method: "DELETE" });
  });
});
