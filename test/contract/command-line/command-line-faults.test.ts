// Command line errors for wrong numbers, settings, folders and addresses, and leftovers of an
// interrupted start.
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { interrupt, run, serve, type Environment } from "../../command-line.ts";
import { createDataFolder } from "../../data-folder.ts";
import { isRemote, siteHosts } from "../../service.ts";
import { startSite, type Site } from "../../site/site.ts";

let site: Site;
let folder: string;
let environment: Environment;

beforeAll(async () => {
  if (isRemote) return;
  site = await startSite();
  folder = await mkdtemp(path.join(os.tmpdir(), "quarry-contract-"));
  environment = {
    QUARRY_DATA_DIR: path.join(folder, "data"),
    QUARRY_EGRESS_ALLOW: siteHosts(site).join(","),
  };
});
afterAll(async () => {
  if (isRemote) return;
  await rm(folder, { recursive: true, force: true });
  await site.close();
});

describe.skipIf(isRemote)("command line errors", () => {
  it.each([
    ["keys", "create", "x", "--credits", "abc"],
    ["keys", "create", "x", "--credits", "-1"],
    ["keys", "create", "x", "--requests-per-minute", "0"],
    ["keys", "create", "x", "--concurrency", "1.5"],
    ["keys", "create", "x", "--expires", "soon"],
    ["keys", "rotate", "x", "--grace", "1e2"],
    ["scrape", "http://example.com", "--timeout", "5s"],
    ["scrape", "http://example.com", "--max-age", ""],
    ["serve", "--port", "many"],
  ])("names the option of an invalid number: %s %s %s %s %s", async (...words) => {
    const { code, stdout, stderr } = await run(words, environment);
    expect(code).toBe(2);
    expect(stdout).toBe("");
    const option = words.find((word) => word.startsWith("--"));
    expect(stderr).toMatch(/^quarry: option .* must be a whole number of at least [01]\.$/m);
    expect(stderr).toContain(option);
  });

  it("reports an unusable data folder, a foreign address and an invalid role in one line each", async () => {
    const file = path.join(folder, "a-file");
    await writeFile(file, "");
    const cases: [Environment, string[], RegExp][] = [
      [{ QUARRY_DATA_DIR: file }, ["keys", "list"], /a-file is not a folder .*QUARRY_DATA_DIR/],
      [{ QUARRY_DATA_DIR: path.join(file, "x") }, ["serve", "--port", "0"], /QUARRY_DATA_DIR/],
      [
        { QUARRY_HOST: "192.0.2.1" },
        ["serve", "--port", "0"],
        /192\.0\.2\.1 is not an address of this/,
      ],
      [
        { DATABASE_URL: "postgres://name:hidden@127.0.0.1:9/quarry" },
        ["keys", "list"],
        /127\.0\.0\.1:9 \(DATABASE_URL\) cannot be reached/,
      ],
    ];
    for (const [extra, words, text] of cases) {
      const { code, stderr } = await run(words, { ...environment, ...extra });
      expect(code, words.join(" ")).toBe(1);
      expect(stderr).toMatch(/^quarry: .*\n$/);
      expect(stderr).toMatch(text);
      expect(stderr).not.toContain("hidden");
    }
  });

  it("ignores a stale server file whose process id belongs to another process", async () => {
    const other = await createDataFolder();
    try {
      const left = { pid: process.pid, url: site.url, adminToken: "left-behind" };
      await writeFile(path.join(other, "server.json"), JSON.stringify(left));
      const inside = { ...environment, QUARRY_DATA_DIR: other };
      const scraped = await run(["scrape", `${site.url}/tiny`, "--explain"], inside);
      expect(scraped.stderr).toContain("answered by   this process");
      const { code, stderr } = await run(["keys", "list"], inside);
      expect(code, stderr).toBe(0);
    } finally {
      await rm(other, { recursive: true, force: true });
    }
  });

  it.each(["at its beginning", "in the middle"])(
    "a first start stopped %s leaves nothing and the next one creates the key",
    async (when) => {
      const fresh = await mkdtemp(path.join(os.tmpdir(), "quarry-contract-"));
      try {
        const inside = { ...environment, QUARRY_DATA_DIR: fresh };
        const { code, stdout, stderr } = await interrupt(inside, async (said) => {
          if (when === "at its beginning") return said.includes("Creating a new database");
          return (await readdir(fresh)).includes("database.new");
        });
        expect(code, stderr).toBe(0);
        expect(stdout).not.toContain("API key");
        expect(await readdir(fresh)).toEqual([]);
        const server = await serve(inside);
        const key = /^API key, shown only this once: (\S+)$/m.exec(server.stdout())?.[1] ?? "";
        const headers = { authorization: `Bearer ${key}` };
        const answer = await fetch(`${server.url}/v2/team/credit-usage`, { headers });
        expect(answer.status).toBe(200);
        expect(await server.stop()).toBe(0);
      } finally {
        await rm(fresh, { recursive: true, force: true });
      }
    },
  );
});
