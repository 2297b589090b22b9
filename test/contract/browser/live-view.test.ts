// The live view of a session: who may see it, what it shows, and who may control the page.
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { launchTestBrowser, testBrowserExecutable } from "../../browser/launch.ts";
import { isRemote, startService, type Service } from "../../service.ts";

let site: Server;
let origin: string;
let service: Service;
let browser: Browser;

const PAGE = `<title>Shop</title><body style="margin:0"><button style="width:100vw;height:100vh" onclick="document.title = 'clicked'">All</button>
<script>addEventListener("keydown", (event) => { document.body.dataset.key = event.key })</script>`;

const FORM = `<title>Form</title><style>body{margin:0}input,label{display:block;width:100vw;height:30vh}#file{display:none}</style>
<input id="name"><input type="password"><label style="position:fixed;bottom:0">File<input type="file" id="file"></label>`;

type Report = {
  readonly type: string;
  readonly tabs?: readonly { readonly id: number; readonly title: string }[];
  readonly tab?: number;
  readonly canGoBack?: boolean;
  readonly isMultiple?: boolean;
  readonly steps?: readonly Record<string, unknown>[];
};

/** Connects with the token as a protocol, as the console does. */
async function connectScreen(viewUrl: string) {
  const [, token = ""] = /live\/([\w-]+)/.exec(viewUrl) ?? [];
  const address = `${service.url.replace(/^http/, "ws")}/live/screen`;
  const socket = new WebSocket(address, ["quarry-screen", token]);
  const reports: Report[] = [];
  socket.on("message", (data: Buffer, isBinary) => {
    if (!isBinary) reports.push(JSON.parse(data.toString()) as Report);
  });
  await new Promise((resolve, reject) => {
    socket.once("open", resolve);
    socket.once("error", reject);
  });
  return {
    send: (input: object) => socket.send(JSON.stringify(input)),
    /** Takes the first report of a type that fits, and all before it. */
    async until(type: string, fits: (report: Report) => boolean): Promise<Report> {
      const find = () => reports.findIndex((report) => report.type === type && fits(report));
      await expect.poll(find, { message: `${type} ${JSON.stringify(reports)}` }).not.toBe(-1);
      const found = reports.splice(0, find() + 1).at(-1);
      if (found === undefined) throw new Error("unreachable");
      return found;
    },
    close: () => socket.close(),
  };
}

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
    site = createServer(({ url }, response) => {
      response.setHeader("content-type", "text/html");
      response.end(url === "/form" ? FORM : PAGE);
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

  it("reports tabs, navigates, uploads, copies and records steps over the screen protocol", async () => {
    const { id, interactiveLiveViewUrl } = await open();
    const screen = await connectScreen(interactiveLiveViewUrl);
    await screen.until("state", ({ tabs }) => tabs?.[0]?.title === "Shop");
    screen.send({ type: "record", on: true });
    screen.send({ type: "open", url: "file:///etc/passwd" });
    expect(await screen.until("notice", () => true)).toMatchObject({
      text: "Only http and https addresses can be opened.",
    });
    screen.send({ type: "open", url: `${origin}/form` });
    await screen.until("state", ({ tabs, canGoBack }) => {
      return tabs?.[0]?.title === "Form" && canGoBack === true;
    });
    await execute(id, "await page.waitForSelector('#name')");
    const click = (x: number, y: number) => {
      screen.send({ type: "down", x, y, button: "left" });
      screen.send({ type: "up", x, y, button: "left" });
    };
    click(0.5, 0.05);
    for (const key of ["A", "d", "a"]) screen.send({ type: "keydown", key });
    screen.send({ type: "keydown", key: "Tab" });
    screen.send({ type: "insert", text: "open sesame" });
    const { steps } = await screen.until("steps", (report) => {
      return report.steps?.at(-1)?.["isSecret"] === true;
    });
    expect(steps).toEqual([
      { type: "open", url: `${origin}/` },
      { type: "open", url: `${origin}/form` },
      { type: "click", selector: "#name" },
      { type: "write", text: "Ada", isSecret: false },
      { type: "press", key: "Tab" },
      { type: "write", text: "", isSecret: true },
    ]);
    expect(await execute(id, "await page.inputValue('[type=password]')")).toBe("open sesame");
    await execute(id, "await page.locator('#name').selectText()");
    screen.send({ type: "copy" });
    expect(await screen.until("copied", () => true)).toMatchObject({ text: "Ada" });
    click(0.5, 0.95);
    await screen.until("chooser", ({ isMultiple }) => isMultiple === false);
    const file = { name: "notes.txt", mimeType: "text/plain", base64: btoa("Fjell") };
    screen.send({ type: "files", files: [file] });
    const content = "await page.evaluate(() => document.querySelector('#file').files[0]?.text())";
    await expect.poll(() => execute(id, content)).toBe("Fjell");
    screen.send({ type: "newTab" });
    const { tabs = [] } = await screen.until("state", (report) => report.tabs?.length === 2);
    screen.send({ type: "selectTab", tab: tabs[0]?.id });
    await screen.until("state", ({ tab }) => tab === tabs[0]?.id);
    screen.send({ type: "closeTab", tab: tabs[1]?.id });
    await screen.until("state", (report) => report.tabs?.length === 1);
    const listed = (await service.ask(`/v2/browser/${id}`)).body;
    expect(listed).toMatchObject({ url: `${origin}/form`, title: "Form", activityTtl: 300 });
    screen.close();
    await service.ask(`/v2/browser/${id}`, { method: "DELETE" });
  });

  it("saves the state of a running session as a profile and lists it", async () => {
    const { id } = await open();
    await execute(id, "await page.evaluate(() => { document.cookie = 'user=ada; max-age=600' })");
    const path = `/v2/browser/${id}/profile`;
    expect((await service.ask(path, { method: "POST", body: {} })).body).toMatchObject({
      code: "BAD_REQUEST",
      error: expect.stringContaining("name is missing"),
    });
    const { client } = service;
    expect(await client.session(id).saveProfile("by hand")).toBe("by hand");
    expect(await execute(id, "1 + 1")).toBe("2");
    expect(await client.profiles()).toEqual([
      { name: "by hand", savedAt: expect.any(String), sizeBytes: expect.any(Number), inUse: false },
    ]);
    const other = await open({ profile: { name: "by hand" } });
    expect(await execute(other.id, "await page.evaluate(() => document.cookie)")).toBe("user=ada");
    const { status } = await service.ask(path, { method: "POST", body: { name: "by hand" } });
    expect(status).toBe(409);
    expect(await client.session(other.id).saveProfile()).toBe("by hand");
    await service.ask(`/v2/browser/${other.id}`, { method: "DELETE" });
    await service.ask(`/v2/browser/${id}`, { method: "DELETE" });
    await client.deleteProfile("by hand");
    expect(await client.profiles()).toEqual([]);
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
