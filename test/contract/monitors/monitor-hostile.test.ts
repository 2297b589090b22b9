// Hostile values in the fields of a monitor: addresses inside the network, markup in names, titles
// and pages, forms of other sites; and judgments by words with their quotes.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type {
  Monitor,
  MonitorCheck,
  MonitorPage,
} from "../../../src/contract/jobs/monitor-report.ts";
import { closeAll, openSite } from "../../http-fetching.ts";
import { isRemote, startService, type Service } from "../../service.ts";

let base: string;
let inner: string;
let service: Service;
let lines: readonly string[] = [];
let title = "Harbour";
let redirect: string | undefined;
const asked: string[] = [];

const FILLER = "The harbour of this town is open to ships of all sizes in every season. ".repeat(4);

beforeAll(async () => {
  ({ base } = await openSite((_request, response) => {
    if (redirect !== undefined) {
      response.writeHead(302, { location: redirect }).end();
      return;
    }
    response.writeHead(200, { "content-type": "text/html; charset=utf-8" });
    const body = lines.map((line) => `<p>${line}</p>`).join("\n");
    response.end(`<title>${title}</title><main><h1>Harbour</h1><p>${FILLER}</p>${body}</main>`);
  }));
  // A service of the internal network, which is not on the allow-list.
  ({ base: inner } = await openSite((request, response) => {
    asked.push(request.url ?? "");
    response.end("<h1>Internal</h1>");
  }));
  service = await startService(undefined, { egressAllow: [new URL(base).host], browser: "none" });
});
afterAll(async () => {
  await service.close();
  await closeAll();
});

async function ask<T>(method: string, path: string, body?: object): Promise<T> {
  const answer = await service.ask(path, { method, ...(body !== undefined && { body }) });
  expect(answer.status, answer.text).toBe(200);
  return (answer.body as unknown as { data: T }).data;
}

const request = (fields: object = {}) => ({
  name: "hostile",
  schedule: { text: "daily" },
  targets: [{ type: "scrape", urls: [`${base}/page`] }],
  detection: { confirmations: 0, ignoreNoise: false },
  ...fields,
});

type WholeCheck = MonitorCheck & { readonly pages: readonly MonitorPage[] };

async function check(id: string, next: readonly string[]): Promise<WholeCheck> {
  lines = next;
  const started = await ask<MonitorCheck>("POST", `/v2/monitor/${id}/run`, {});
  const read = () => ask<WholeCheck>("GET", `/v2/monitor/${id}/checks/${started.id}`);
  await expect
    .poll(async () => (await read()).status, { timeout: 60_000 })
    .not.toMatch(/queued|running/);
  return await read();
}

describe.skipIf(isRemote)("hostile values in monitors", () => {
  it.each([
    { type: "webhook" },
    { type: "slack" },
    { type: "discord" },
    { type: "teams" },
    { type: "mattermost" },
    { type: "telegram", token: "t", chatId: "1" },
    { type: "ntfy" },
    { type: "gotify", token: "t" },
    { type: "matrix", token: "t", roomId: "!a:b" },
    { type: "pushover", token: "t", user: "u" },
    { type: "apprise", urls: "json://x" },
  ])("refuses the internal address of a channel $type", async (channel) => {
    for (const url of [inner, "http://169.254.169.254/", "http://[::1]/", "file:///etc/passwd"]) {
      const body = request({ channels: [{ ...channel, url: `${url}/topic` }] });
      const answer = await service.ask("/v2/monitor", { method: "POST", body });
      expect(answer.status, `${url}: ${answer.text}`).toBe(400);
    }
    expect(asked).toEqual([]);
  });

  it("reports internal targets and redirects to them as broken without a request", async () => {
    const { id } = await ask<Monitor>(
      "POST",
      "/v2/monitor",
      request({
        targets: [
          { type: "scrape", urls: [`${inner}/admin`] },
          { type: "map", url: `${inner}/` },
          { type: "crawl", url: `${inner}/` },
          { type: "scrape", urls: [`${base}/page`] },
        ],
      }),
    );
    redirect = `${inner}/metadata`;
    const { pages } = await check(id, []).finally(() => (redirect = undefined));
    expect(pages.map(({ status }) => status)).toEqual(["error", "error", "error", "error"]);
    expect(asked).toEqual([]);
  });

  it("escapes names, titles and lines in the feed", async () => {
    const mark = `<img src=x onerror=alert(1)>"']]>`;
    title = "&lt;script&gt;alert(2)&lt;/script&gt;";
    const made = await ask<Monitor>("POST", "/v2/monitor", request({ name: mark }));
    await check(made.id, ["Open."]);
    await check(made.id, ["&lt;svg onload=alert(3)&gt;"]);
    title = "Harbour";
    const feed = await (await fetch(made.feedUrl ?? "")).text();
    expect(feed).toContain("&lt;img src=x onerror=alert(1)&gt;&quot;&#39;]]&gt;");
    expect(feed).toContain("svg onload");
    expect(feed).not.toMatch(/<(?:img|script|svg)/);
  });

  it("takes no form of another site for a request", async () => {
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"])
      for (const path of ["/v2/monitor", "/v2/monitor/estimate"]) {
        const answer = await fetch(`${service.url}${path}`, {
          method: "POST",
          headers: { "content-type": type, origin: "https://other.example" },
          body: JSON.stringify(request()),
        });
        expect(answer.status, `${type} ${path}`).toBe(401);
      }
  });

  it.each([
    { scope: { linesMatching: ["(a+)+$"] }, status: 200 },
    { scope: { linesMatching: ["(?=a)"] }, status: 400 },
    { scope: { jsonPaths: ["$[?search(@.a, '(a+)+$')]"] }, status: 400 },
    { scope: { picture: { masks: [{ x: 0, y: 0, width: 1e9, height: 1 }] } }, status: 400 },
  ])("answers $status for the scope $scope", async ({ scope, status }) => {
    const body = request({ targets: [{ type: "scrape", urls: [`${base}/page`], scope }] });
    const answer = await service.ask("/v2/monitor/estimate", { method: "POST", body });
    expect(answer.status, answer.text).toBe(status);
  });
});

describe.skipIf(isRemote)("judgments of changes", () => {
  it("judges a goal by words, and quotes the lines before and after", async () => {
    const { id } = await ask<Monitor>(
      "POST",
      "/v2/monitor",
      request({ goal: "The ferry timetable changes" }),
    );
    await check(id, ["Ferry leaves at nine.", "Cafe opens at eight."]);
    const cafe = await check(id, ["Ferry leaves at nine.", "Cafe opens at seven."]);
    expect(cafe.pages[0]).toMatchObject({ status: "changed", judgment: { meaningful: false } });
    const ferry = await check(id, ["Ferry leaves at noon.", "Cafe opens at seven."]);
    expect(ferry.pages[0]).toMatchObject({
      status: "changed",
      judgment: {
        meaningful: true,
        meaningfulChanges: expect.arrayContaining([
          expect.objectContaining({ type: "removed", before: "Ferry leaves at nine." }),
          expect.objectContaining({ type: "added", after: "Ferry leaves at noon." }),
        ]) as unknown,
      },
    });
  });

  it("counts lines that matter although they look like noise", async () => {
    const views = (count: number): string[] => ["News", `${count} views`];
    const { id } = await ask<Monitor>(
      "POST",
      "/v2/monitor",
      request({ detection: { confirmations: 0 } }),
    );
    await check(id, views(1_204));
    expect((await check(id, views(1_388))).pages[0]?.status).toBe("same");
    const changed = await ask<Monitor>("POST", `/v2/monitor/${id}/feedback`, {
      line: "+1388 views",
      verdict: "matters",
    });
    expect(changed.detection?.["watch"]).toEqual([String.raw`^\s*\d+ views\s*$`]);
    expect((await check(id, views(1_502))).pages[0]?.status).toBe("changed");
    await ask("POST", `/v2/monitor/${id}/feedback`, { line: "+1502 views", verdict: "ignore" });
    expect((await check(id, views(1_640))).pages[0]?.status).toBe("same");
  });

  it("shows in a dry run which stored changes other rules would have notified", async () => {
    const { id } = await ask<Monitor>("POST", "/v2/monitor", request());
    await check(id, ["Berth 3 is free."]);
    await check(id, ["Berth 3 is taken."]);
    await check(id, ["Berth 3 is closed."]);
    const run = async (rules: object): Promise<boolean[]> =>
      (await ask<{ notifies: boolean }[]>("POST", `/v2/monitor/${id}/dry-run`, rules)).map(
        ({ notifies }) => notifies,
      );
    expect(await run({})).toEqual([true, true]);
    const when = { conditions: [{ type: "textAppears", text: "closed" }] };
    expect(await run({ when })).toEqual([false, true]);
    expect(await run({ detection: { ignore: ["^Berth"] } })).toEqual([false, false]);
    expect(await ask<Monitor>("GET", `/v2/monitor/${id}`)).toMatchObject({ when: null });
  });
});
