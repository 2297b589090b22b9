// Page changes and crawl prompts on the command line without a server: the histories are in the
// data folder.
import { rm } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { run, type Environment } from "../../command-line.ts";
import { createDataFolder } from "../../data-folder.ts";
import { closeAll, openSite } from "../../http-fetching.ts";
import { isRemote } from "../../service.ts";

let base: string;
let folder: string;
let environment: Environment;
let notice = "Open all year";

beforeAll(async () => {
  if (isRemote) return;
  ({ base } = await openSite((request, response) => {
    const { url = "/" } = request;
    if (!["/", "/docs/a", "/blog/a"].includes(url)) {
      response.writeHead(404, { "content-type": "text/plain" }).end("no");
      return;
    }
    const text = `${url} tells of the harbour and its lights. ${notice}. `.repeat(6);
    const links = `See <a href="/docs/a">docs</a> and <a href="/blog/a">blog</a>.`;
    response.writeHead(200, { "content-type": "text/html" });
    response.end(`<title>${url}</title><main><h1>Harbour</h1><p>${text} ${links}</p></main>`);
  }));
  folder = await createDataFolder();
  environment = { QUARRY_DATA_DIR: folder, QUARRY_EGRESS_ALLOW: "127.0.0.1" };
});
afterAll(async () => {
  if (isRemote) return;
  await rm(folder, { recursive: true, force: true });
  await closeAll();
});

describe.skipIf(isRemote)("command line without a server", () => {
  it("scrape --format changeTracking reports the change of the page with its diff", async () => {
    const scrape = (...words: string[]) =>
      run(["scrape", `${base}/docs/a`, "--format", "changeTracking", ...words], environment);
    const first = await scrape();
    expect(first.stdout, first.stderr).toBe("new\n");
    notice = "Closed in March";
    const second = await scrape();
    expect(second.stdout).toMatch(/^changed since \d{4}-.*\n@@ /);
    expect(second.stdout).toMatch(/^\+.*Closed in March/m);
    const third = await scrape("--json");
    expect(JSON.parse(third.stdout)).toMatchObject({ changeTracking: { changeStatus: "same" } });
  });

  it("crawl --prompt accepts plain language and reports what was not understood", async () => {
    const words = ["crawl", `${base}/`, "--prompt", "skip the blog, in verse", "--json"];
    const { code, stdout, stderr } = await run(words, environment);
    expect(code, stderr).toBe(0);
    expect(stdout).toContain("/docs/a");
    expect(stdout).not.toContain(`${base}/blog/a`);
    expect(`${stdout}${stderr}`).toContain("Not understood");
  });
});
