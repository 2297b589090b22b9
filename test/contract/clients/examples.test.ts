// Runs the examples as readers do, each against a suitable page.
import { execFile } from "node:child_process";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { closeAll, openSite } from "../../http-fetching.ts";
import { isRemote, shareService, type Service } from "../../service.ts";

const FOLDER = path.join(import.meta.dirname, "..", "..", "..", "examples");
const run = promisify(execFile);

let base: string;
let service: Service;
/** The text that is watched for changes. */
let notice = "Open all year";

const LINKS = ["/docs/intro", "/docs/knots", "/blog/one", "/archive/old"];

beforeAll(async () => {
  if (isRemote) return;
  ({ base } = await openSite((request, response) => {
    const { url = "/" } = request;
    if (url !== "/" && url !== "/notice" && !LINKS.includes(url)) {
      response.writeHead(404, { "content-type": "text/plain" }).end("no");
      return;
    }
    const text = `${url} is a page about the harbour, its boats and its lights. `.repeat(6);
    const said = url === "/notice" ? `<p>${`${notice}. `.repeat(9)}</p>` : "";
    const links = LINKS.map((link) => `${text} See <a href="${link}">${link}</a>.`).join(" ");
    response.writeHead(200, { "content-type": "text/html; charset=utf-8" });
    response.end(
      `<title>Harbour ${url}</title><main><h1>Harbour</h1><p>${url === "/" ? links : text}</p>${said}</main>`,
    );
  }));
  service = await shareService();
});
afterAll(async () => {
  if (isRemote) return;
  await service.close();
  await closeAll();
});

async function runExample(file: string, ...rest: readonly string[]): Promise<string> {
  const command = file.endsWith(".sh") ? "sh" : process.execPath;
  const env = { ...process.env, QUARRY_URL: service.url, QUARRY_API_KEY: service.key };
  const { stdout } = await run(command, [path.join(FOLDER, file), ...rest], {
    env,
    timeout: 60_000,
  });
  return stdout;
}

/** The expected output of each example; add an entry for a new example. */
const EXAMPLES: Readonly<Record<string, () => Promise<void>>> = {
  "json.mjs": async () => {
    const said = await runExample("json.mjs", `${base}/notice`);
    expect(said).toContain('"name": "Harbour');
    expect(said).toContain('"price": null');
    expect(said).toContain("/name from section: Harbour");
  },
  "json.sh": async () => {
    const said = await runExample("json.sh", `${base}/notice`);
    expect(JSON.parse(said)).toMatchObject({
      success: true,
      data: { json: { name: expect.stringContaining("Harbour") as string } },
    });
  },
  "extractor.mjs": async () => {
    const data = '{"title": "Harbour"}';
    const said = await runExample(
      "extractor.mjs",
      `${base}/docs/knots`,
      `${base}/docs/intro`,
      data,
    );
    expect(said).toContain('{"title":"Harbour"}');
    expect(said).toMatch(/\/title at n\d+: Harbour/);
  },
  "summary.mjs": async () => {
    const said = await runExample("summary.mjs", `${base}/docs/knots`, "What", "about", "boats?");
    expect(said).toContain("is a page about the harbour, its boats and its lights.");
    expect(said).toContain("What about boats?");
  },
  "scrape.mjs": async () => {
    const said = await runExample("scrape.mjs", `${base}/`);
    expect(said).toMatch(/^# Harbour.* \(200\)/);
    expect(said).toContain("is a page about the harbour");
    expect(said).toContain("4 links");
  },
  "scrape.sh": async () => {
    const { data } = JSON.parse(await runExample("scrape.sh", `${base}/`)) as {
      data: { links: string[] };
    };
    expect(data.links).toEqual(LINKS.map((link) => base + link));
  },
  "crawl.mjs": async () => {
    const said = await runExample("crawl.mjs", `${base}/`, "3");
    expect(said.match(/^200 /gm)).toHaveLength(3);
    expect(said).toContain('fates: {"fetched":3,"limit":2}');
  },
  "crawl.sh": async () => {
    const lines = (await runExample("crawl.sh", `${base}/`, "2")).trim().split("\n");
    expect(
      lines.map((line) => (JSON.parse(line) as { markdown: string }).markdown.length > 100),
    ).toEqual([true, true]);
  },
  "batch.mjs": async () => {
    const said = await runExample("batch.mjs", `${base}/docs/intro`, "http://127.0.0.2:9/");
    expect(said).toContain(`200 ${base}/docs/intro (0 links)`);
    expect(said).toMatch(/^failed: http:\/\/127\.0\.0\.2:9\/: ./m);
  },
  "search.mjs": async () => {
    const said = await runExample("search.mjs", `${base}/docs/knots`, "boats", "knots");
    expect(said).toContain(`Harbour /docs/knots\n  ${base}/docs/knots\n`);
  },
  "parse.mjs": async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), "quarry-examples-"));
    const file = path.join(folder, "boats.csv");
    await writeFile(file, "boat,metres\nHeron,12\n");
    try {
      expect(await runExample("parse.mjs", file)).toContain("| Heron | 12 |");
    } finally {
      await rm(folder, { recursive: true });
    }
  },
  "map.mjs": async () => {
    const said = await runExample("map.mjs", `${base}/`);
    for (const link of LINKS) expect(said).toContain(base + link);
    const found = await runExample("map.mjs", `${base}/`, "knots");
    expect(found).toMatch(/^http:\S+\/docs\/knots {2}.+\n$/);
  },
  "change-tracking.mjs": async () => {
    notice = "Open all year";
    expect(await runExample("change-tracking.mjs", `${base}/notice`)).toContain(
      "new, last seen never",
    );
    notice = "Closed in March";
    const said = await runExample("change-tracking.mjs", `${base}/notice`);
    expect(said).toMatch(/^changed, last seen \d{4}-/);
    expect(said).toContain("+Closed in March.");
  },
  "change-tracking.sh": async () => {
    const answer = JSON.parse(await runExample("change-tracking.sh", `${base}/docs/intro`)) as {
      data: { changeTracking: object };
    };
    expect(answer.data.changeTracking).toMatchObject({ changeStatus: "new" });
  },
  "monitor.mjs": async () => {
    const said = (await runExample("monitor.mjs", `${base}/docs/intro`)).trim().split("\n");
    expect(said[0]).toMatch(/^next run 20\d\d-\d\d-\d\dT0[67]:30:\d\d\.000Z, \d+ credits a month$/);
    expect(said.slice(1)).toEqual(["completed", `new ${base}/docs/intro`]);
    expect(JSON.parse((await service.ask("/v2/monitor")).text)).toMatchObject({ data: [] });
  },
  "monitor.sh": async () => {
    const { data } = JSON.parse(await runExample("monitor.sh", `${base}/docs/intro`)) as {
      data: { nextRuns: string[] };
    };
    expect(data).toMatchObject({ estimatedCreditsPerMonth: 2_880 });
    expect(data.nextRuns).toHaveLength(5);
  },
  "params-preview.mjs": async () => {
    const said = await runExample(
      "params-preview.mjs",
      `${base}/`,
      "only the docs,",
      "at most 5, please in verse",
    );
    expect(said).toContain('"limit": 5');
    expect(said).toContain('"docs" -> includePaths: ^/docs(/|$)');
    expect(said).toContain('not understood: "verse"');
    expect(said).toMatch(/fits 2 of [56] known URLs/);
  },
  "agent.mjs": async () => {
    expect(await runExample("agent.mjs", `${base}/notice`)).toContain('"entries"');
  },
  "agent.sh": async () => {
    const said = JSON.parse(await runExample("agent.sh", `${base}/notice`)) as object;
    expect(said).toMatchObject({
      status: "failed",
      stopReason: "needs_model",
      creditsUsed: 0,
    });
  },
  "params-preview.sh": async () => {
    const { data } = JSON.parse(
      await runExample("params-preview.sh", `${base}/`, "skip the archive"),
    ) as { data: object };
    expect(data).toEqual({ url: `${base}/`, excludePaths: ["^/archive(/|$)"] });
  },
};

describe.skipIf(isRemote)("examples", () => {
  it("every example has a test", async () => {
    const files = (await readdir(FOLDER)).filter((file) => /\.(?:mjs|sh)$/.test(file));
    expect(new Set(files)).toEqual(new Set(["connect.mjs", ...Object.keys(EXAMPLES)]));
  });
  it.each(Object.keys(EXAMPLES))("the example %s prints its expected output", async (name) => {
    expect.hasAssertions();
    await EXAMPLES[name]?.();
  });
});
