// quarry lists; test/browser/ad-lists.test.ts tests how a running server uses them.
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { run, type Environment } from "../../command-line.ts";
import { closeAll, openSite } from "../../http-fetching.ts";
import { isRemote } from "../../service.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "quarry-lists-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));
afterEach(closeAll);

async function serveLists(): Promise<Environment> {
  const site = await openSite((request, response) => {
    if (request.url === "/redirected") response.writeHead(302, { location: "/easy.txt" }).end();
    else if (request.url === "/easy.txt") response.end("||ads.example^\n/banners/*\n##.ad\n");
    else if (request.url === "/hosts") response.end("0.0.0.0 tracker.example\n");
    else response.writeHead(404).end("<html>not found</html>");
  });
  return {
    QUARRY_DATA_DIR: folder,
    QUARRY_EGRESS_ALLOW: "127.0.0.1",
    QUARRY_AD_LISTS: `${site.base}/redirected,${site.base}/hosts`,
  };
}

describe.skipIf(isRemote)("quarry lists", () => {
  it("quarry lists downloads, compiles and shows the lists and keeps them when one fails", async () => {
    const environment = await serveLists();
    expect((await run(["lists", "show"], environment)).stdout).toContain(
      "Only Quarry's built-in list",
    );
    const updated = await run(["lists", "update"], environment);
    expect(updated).toMatchObject({ code: 0, stderr: "" });
    expect(updated.stdout).toMatch(
      /^3 rules.*\n {2}\S+\/redirected {2}2 rules.*\n {2}\S+\/hosts {2}1 rules/,
    );
    expect((await run(["lists", "show"], environment)).stdout).toBe(updated.stdout);
    const kept = await readFile(path.join(folder, "lists", "ads.bin"));
    const lists = environment["QUARRY_AD_LISTS"] ?? "";
    const failed = await run(["lists", "update"], {
      ...environment,
      QUARRY_AD_LISTS: `${lists}-gone`,
    });
    expect(failed).toMatchObject({ code: 3, stdout: "" });
    expect(failed.stderr).toContain("/hosts-gone returned no list");
    expect(await readFile(path.join(folder, "lists", "ads.bin"))).toEqual(kept);
  }, 60_000);

  it("quarry lists downloads through the gate", async () => {
    const environment = await serveLists();
    const refused = await run(["lists", "update"], { ...environment, QUARRY_EGRESS_ALLOW: "" });
    expect(refused.code).toBe(3);
    expect(refused.stderr).toMatch(/QUARRY_EGRESS_ALLOW|private|refused/);
  }, 60_000);

  it("quarry lists show prints nothing of a foreign file", async () => {
    const environment = await serveLists();
    await writeFile(path.join(folder, "lists", "ads.json"), "{}");
    const shown = await run(["lists", "show"], environment);
    expect(shown.code).toBe(1);
    expect(shown.stderr).toContain("quarry lists update");
  }, 60_000);
});
