// A crawl with pages that make the browser write more than fits into a string, and a page whose
// renderer dies each time.
import { readdirSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { closeAll, openSite } from "../../http-fetching.ts";
import { startService, type Service } from "../../service.ts";

let service: Service;
let base: string;
const asked = new Map<string, number>();

const PAGES: Readonly<Record<string, string>> = {
  "/": `<a href="/flood">flood</a> <a href="/control">control</a> <a href="/crash">crash</a> <a href="/good">good</a>`,
  "/flood": `<script>const s = "x".repeat(2e7); console.log(s, s, s, s)</script>`,
  "/control": String.raw`<script>console.log("\u0001".repeat(5e6))</script>`,
  "/crash": `<script>fetch("/end-renderer")</script>`,
  "/good": "",
};

beforeAll(async () => {
  ({ base } = await openSite((request, response) => {
    const name = request.url ?? "";
    asked.set(name, (asked.get(name) ?? 0) + 1);
    // This page is fetched alone: the crawl has a concurrency of one.
    if (name === "/end-renderer") endRenderers();
    const body = PAGES[name];
    response.writeHead(body === undefined ? 404 : 200, { "content-type": "text/html" });
    response.end(`<!doctype html><title>${name}</title><p>words of ${name}</p>${body ?? ""}`);
  }));
  service = await startService(undefined, { egressAllow: ["127.0.0.1"] });
});
afterAll(async () => {
  await service.close();
  await closeAll();
});

/** Renderer processes started by this process. */
function endRenderers(): void {
  for (const name of readdirSync("/proc").filter((each) => /^\d+$/.test(each))) {
    try {
      const command = readFileSync(`/proc/${name}/cmdline`, "latin1");
      if (command.includes("--type=renderer") && isOurs(Number(name)))
        process.kill(Number(name), "SIGKILL");
    } catch {
      // It has already ended.
    }
  }
}

function isOurs(pid: number): boolean {
  for (let at = pid; at > 1;) {
    if (at === process.pid) return true;
    at = Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${at}/status`, "utf8"))?.[1] ?? 0);
  }
  return false;
}

it("finishes a crawl over pages that flood the browser's output and fails the page that kills its renderer", async () => {
  const { body: started } = await service.ask("/v2/crawl", {
    method: "POST",
    body: {
      url: `${base}/`,
      sitemap: "skip",
      maxConcurrency: 1,
      scrapeOptions: { formats: ["markdown"], waitFor: 1, maxAge: 0, timeout: 100_000 },
    },
  });
  const { id } = started as { id: string };
  type Status = {
    status: string;
    data: { markdown?: string; metadata: { sourceURL: string; error?: string } }[];
  };
  let crawl: Status | undefined;
  await expect
    .poll(
      async () => {
        crawl = (await service.ask(`/v2/crawl/${id}`)).body as unknown as Status;
        return crawl.status;
      },
      { timeout: 400_000, interval: 500 },
    )
    .toBe("completed");
  const read = (crawl?.data ?? [])
    .filter(({ markdown }) => markdown?.includes("words of"))
    .map(({ metadata }) => new URL(metadata.sourceURL).pathname)
    .toSorted();
  expect(read.filter((name) => name !== "/")).toEqual(["/control", "/flood", "/good"]);
  const { body: errors } = await service.ask(`/v2/crawl/${id}/errors`);
  expect(errors).toMatchObject({
    errors: [{ url: `${base}/crash`, error: expect.stringContaining("twice") }],
  });
  // Twice in a fresh context, and once before in that of an earlier page, which does not count.
  expect([2, 3]).toContain(asked.get("/crash"));
  expect((await service.ask("/v0/health/liveness")).status).toBe(200);
}, 450_000);
