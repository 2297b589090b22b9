// Live sessions over HTTP with the unchanged published JavaScript client on the bundled browser.
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Firecrawl, SdkError } from "@mendable/firecrawl-js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testBrowserExecutable } from "../../browser/launch.ts";
import { createDataFolder } from "../../data-folder.ts";
import { isRemote, startService, type Service } from "../../service.ts";

const HOME = `<title>Shop</title><h1>Goods</h1>
<button id=more onclick="document.querySelector('#count').textContent = Number(document.querySelector('#count').textContent) + 1">More</button>
<p id=count>0</p><p id=cookie></p>
<script>document.querySelector('#cookie').textContent = document.cookie + '|' + (localStorage.getItem('seen') ?? '')</script>`;

let site: Server;
let origin: string;
let service: Service;
let client: Firecrawl;

async function startSite(): Promise<void> {
  site = createServer((request, response) => {
    if (request.url === "/login")
      response.setHeader("set-cookie", "user=ada; Path=/; Max-Age=3600");
    response.setHeader("content-type", "text/html");
    response.end(request.url === "/big" ? "x".repeat(1_000) : HOME);
  });
  await new Promise<void>((resolve) => void site.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
}

const start = async (dataDir?: string): Promise<Service> =>
  await startService(undefined, {
    egressAllow: [new URL(origin).host],
    browser: await testBrowserExecutable(),
    ...(dataDir === undefined ? {} : { dataDir }),
  });

async function scrapeId(body: object = {}): Promise<string> {
  const document = await service.page({ url: `${origin}/`, ...body });
  return String(document.metadata.scrapeId);
}

const interact = (id: string, body: object, key?: string) =>
  service.ask(`/v2/scrape/${id}/interact`, {
    method: "POST",
    body,
    ...(key === undefined ? {} : { key }),
  });

describe.skipIf(isRemote)("interact", () => {
  beforeAll(async () => {
    await startSite();
    service = await start();
    client = new Firecrawl({ apiKey: service.key, apiUrl: service.url });
  });
  afterAll(async () => {
    await service.close();
    site.close();
  });

  it("runs code in the page of a scrape and keeps page and variables until it is stopped", async () => {
    const id = await scrapeId();
    const first = await client.interact(id, {
      code: "await page.click('#more'); const title = await page.title(); console.log('hi'); title",
    });
    expect(first).toMatchObject({
      success: true,
      result: "Shop",
      stdout: "hi\n",
      stderr: "",
      exitCode: 0,
      killed: false,
    });
    const second = await client.interact(id, {
      code: "await page.click('#more'); [title, await page.textContent('#count')].join()",
      language: "node",
      timeout: 20,
    });
    expect(second.result).toBe("Shop,2");
    expect(second.liveViewUrl).toMatch(new RegExp(`^${service.url}/live/[\\w-]{43}$`));
    const stopped = await client.stopInteraction(id);
    expect(stopped).toMatchObject({ success: true, creditsBilled: 2 });
    expect(stopped.sessionDurationMs).toBeGreaterThan(0);
    await expect(client.stopInteraction(id)).rejects.toThrow("Browser session not found.");
    const anew = await client.interact(id, { code: "await page.textContent('#count')" });
    expect(anew.result).toBe("0");
    await client.stopInteraction(id);
  });

  it("answers 200 with the error for failing code and continues", async () => {
    const id = await scrapeId();
    const failed = await interact(id, { code: "page.nothing()" });
    expect(failed).toMatchObject({
      status: 200,
      body: { success: false, exitCode: 1, killed: false },
    });
    expect(failed.body["stderr"]).toContain("TypeError");
    const missed = await interact(id, { code: "await page.click('#none', { timeout: 100 })" });
    expect(missed.body["stderr"]).toContain("Call log");
    expect(missed.body["stderr"]).not.toContain("\u001b[");
    const late = await interact(id, { code: "for (;;) {}", timeout: 1 });
    expect(late).toMatchObject({
      status: 200,
      body: {
        success: false,
        exitCode: 124,
        killed: true,
        error: "The code ran longer than its timeout of 1 s.",
      },
    });
    expect((await interact(id, { code: "1 + 1" })).body["result"]).toBe("2");
    await client.stopInteraction(id);
  });

  it("runs the calls of a session one at a time in order", async () => {
    const id = await scrapeId();
    const answers = await Promise.all(
      [1, 2, 3].map((n) =>
        interact(id, {
          code: `await page.waitForTimeout(50); globalThis.order = (globalThis.order ?? "") + ${n}`,
        }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(new Set(answers.map(({ body }) => body["sessionId"])).size).toBe(1);
    expect((await interact(id, { code: "order.length" })).body["result"]).toBe("3");
    await client.stopInteraction(id);
  });

  it("rejects unsupported session options clearly", async () => {
    const id = await scrapeId();
    expect(await interact(id, { prompt: "click more" })).toMatchObject({
      status: 422,
      body: {
        success: false,
        code: "MODEL_REQUIRED",
        error: expect.stringMatching(/set QUARRY_MODEL, or send code/) as string,
      },
    });
    expect(await interact(id, { code: "print(1)", language: "python" })).toMatchObject({
      status: 501,
    });
    expect(await interact(id, { code: "snapshot", language: "bash" })).toMatchObject({
      status: 501,
    });
    expect(await interact(id, {})).toMatchObject({ status: 400 });
    expect(await interact("not-an-id", { code: "1" })).toMatchObject({ status: 400 });
    const unknown = "018f0000-0000-7000-8000-000000000000";
    expect(await interact(unknown, { code: "1" })).toMatchObject({
      status: 404,
      body: { error: "Job not found." },
    });
    expect(
      await service.ask(`/v2/browser/${unknown}/execute`, { method: "POST", body: { code: "1" } }),
    ).toMatchObject({
      status: 404,
      body: { error: "Browser session not found." },
    });
    const kept = await service.page({ url: `${origin}/`, zeroDataRetention: true });
    expect(await interact(String(kept.metadata.scrapeId), { code: "1" })).toMatchObject({
      status: 404,
    });
    await expect(client.interact(id, { prompt: "x" })).rejects.toBeInstanceOf(SdkError);
  });

  it("reaches neither forbidden addresses nor files", async () => {
    const id = await scrapeId();
    const { body } = await interact(id, {
      code: `const answers = [];
        for (const url of ["http://127.0.0.1:1/", "http://169.254.169.254/latest/meta-data", "${service.url}/v0/health/readiness", "file:///etc/passwd"])
          answers.push(await page.goto(url).then((answer) => answer?.status ?? 0, () => "refused"));
        await page.goto("${origin}/");
        answers.push(await page.evaluate((url) => fetch(url).then(() => "reached", () => "refused"), "${service.url}/v0/health/readiness"));
        answers.join()`,
    });
    expect(body).toMatchObject({ success: true });
    expect(body["result"]).toMatch(/^(?:refused|403|502|,)+$/);
    await client.stopInteraction(id);
  });

  it("opens, lists, uses and ends standalone sessions", async () => {
    const opened = await client.browser({ ttl: 60, activityTtl: 30 });
    expect(opened.success).toBe(true);
    expect(Date.parse(opened.expiresAt ?? "") - Date.now()).toBeGreaterThan(50_000);
    const id = opened.id ?? "";
    const ran = await client.browserExecute(id, {
      code: `await page.goto("${origin}/"); await page.title()`,
      language: "node",
    });
    expect(ran).toMatchObject({ success: true, result: "Shop" });
    const { sessions } = await client.listBrowsers({ status: "active" });
    expect(sessions?.map((session) => session.id)).toEqual([id]);
    expect(sessions?.[0]).toMatchObject({ status: "active", streamWebView: true, cdpUrl: "" });
    expect((await service.ask(`/v2/browser/${id}/replay`)).status).toBe(404);
    expect(await client.deleteBrowser(id)).toMatchObject({ success: true, creditsBilled: 2 });
    await expect(client.browserExecute(id, { code: "1", language: "node" })).rejects.toThrow(
      /destroyed/,
    );
    const destroyed = await client.listBrowsers({ status: "destroyed" });
    expect(destroyed.sessions?.map((session) => session.id)).toContain(id);
    expect((await service.ask(`/v2/interact/${id}`)).body).toMatchObject({ status: "destroyed" });
  });

  it("shares cookies and storage by profile with one writer at a time", async () => {
    const profile = { name: "../../etc/ada's", saveChanges: true };
    const writer = await client.browser({ profile });
    await client.browserExecute(writer.id ?? "", {
      code: `await page.goto("${origin}/login"); await page.evaluate(() => localStorage.setItem("seen", "yes"))`,
      language: "node",
    });
    const second = await service.ask("/v2/browser", { method: "POST", body: { profile } });
    expect(second).toMatchObject({ status: 409 });
    await client.deleteBrowser(writer.id ?? "");
    const look = `await page.goto("${origin}/"); await page.textContent("#cookie")`;
    const reader = await client.browser({ profile: { ...profile, saveChanges: false } });
    const read = await client.browserExecute(reader.id ?? "", { code: look, language: "node" });
    expect(read.result).toBe("user=ada|yes");
    await client.browserExecute(reader.id ?? "", {
      code: "await context.clearCookies()",
      language: "node",
    });
    await client.deleteBrowser(reader.id ?? "");
    const again = await client.browser({ profile: { ...profile, saveChanges: false } });
    const kept = await client.browserExecute(again.id ?? "", { code: look, language: "node" });
    expect(kept.result).toBe("user=ada|yes");
    await client.deleteBrowser(again.id ?? "");
    const gone = await service.ask(`/v2/browser/profiles/${encodeURIComponent(profile.name)}`, {
      method: "DELETE",
    });
    expect(gone.status).toBe(200);
    expect(
      (
        await service.ask(`/v2/browser/profiles/${encodeURIComponent(profile.name)}`, {
          method: "DELETE",
        })
      ).status,
    ).toBe(404);
  });

  it("shares a profile between scrapes and the sessions that follow", async () => {
    const profile = { name: "Ada" };
    await service.page({ url: `${origin}/login`, profile });
    const whole = { formats: ["html"], onlyMainContent: false };
    const document = await service.page({ url: `${origin}/`, profile, ...whole });
    expect(document.html).toContain("user=ada|");
    const id = String(document.metadata.scrapeId);
    const seen = await interact(id, { code: "await page.textContent('#cookie')" });
    expect(seen.body["result"]).toBe("user=ada|");
    const second = await service.scrape({ url: `${origin}/`, profile });
    expect(second).toMatchObject({ status: 409, body: { code: "CONFLICT" } });
    const reading = { ...profile, saveChanges: false };
    expect((await service.scrape({ url: `${origin}/`, profile: reading })).status).toBe(200);
    await client.stopInteraction(id);
    const other = await service.page({ url: `${origin}/`, ...whole });
    expect(other.html).not.toContain("user=ada");
  });

  it("limits the sessions of an account", async () => {
    const opened = await Promise.all(
      Array.from({ length: 20 }, () => service.ask("/v2/browser", { method: "POST", body: {} })),
    );
    expect(opened.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
    expect(await service.ask("/v2/browser", { method: "POST", body: {} })).toMatchObject({
      status: 429,
    });
    await Promise.all(opened.map(({ body }) => client.deleteBrowser(String(body["id"]))));
  }, 120_000);

  it("reports sessions as gone after a restart and reopens the page of a scrape", async () => {
    const dataDir = await createDataFolder();
    const before = service;
    service = await start(dataDir);
    const { key } = service;
    const id = await scrapeId();
    await interact(id, { code: "const before = 1" });
    const opened = await service.ask("/v2/browser", { method: "POST", body: {} });
    await service.stop();
    service = await start(dataDir);
    const executed = await service.ask(`/v2/browser/${String(opened.body["id"])}/execute`, {
      method: "POST",
      body: { code: "1" },
      key,
    });
    expect(executed).toMatchObject({ status: 410 });
    expect(executed.body.error).toContain("restarted");
    const anew = await interact(id, { code: "typeof before" }, key);
    expect(anew.body).toMatchObject({ success: true, result: "undefined" });
    expect(anew.body["stderr"]).toContain("The previous session was lost");
    await service.close();
    service = before;
  }, 60_000);
});
