// Runs docs/crawling.md as a reader does: all commands in order in one shell, and its program.
import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { serve, type ServingProcess } from "../../command-line.ts";
import { createDataFolder } from "../../data-folder.ts";
import { closeAll, openSite } from "../../http-fetching.ts";
import { isRemote } from "../../service.ts";

const root = path.resolve(import.meta.dirname, "../../..");
const run = promisify(execFile);

let base: string;
let dataFolder: string;
let folder: string;
let server: ServingProcess;
let environment: Record<string, string>;

beforeAll(async () => {
  if (isRemote) return;
  ({ base } = await openSite((request, response) => {
    const isPage = /^\/(docs\/\w+|pricing)?$/.test(request.url ?? "");
    response.writeHead(isPage ? 200 : 404, { "content-type": "text/html" });
    const links = ["/docs/a", "/docs/b", "/pricing"].map((to) => `<a href="${to}">${to}</a>`);
    const text = `This is ${request.url}, and it has words of its own. `.repeat(4);
    response.end(`<title>${request.url}</title><main><p>${text}</p>${links.join(" ")}</main>`);
  }));
  dataFolder = await createDataFolder();
  folder = await mkdtemp(path.join(os.tmpdir(), "quarry-guide-"));
  const { PATH = "", HOME = "" } = process.env;
  environment = {
    PATH,
    HOME,
    NO_COLOR: "1",
    QUARRY_DATA_DIR: dataFolder,
    QUARRY_EGRESS_ALLOW: "127.0.0.1",
  };
  server = await serve(environment);
  await symlink(dataFolder, path.join(folder, ".quarry"));
});
afterAll(async () => {
  if (isRemote) return;
  await server.stop();
  await rm(dataFolder, { recursive: true, force: true });
  await rm(folder, { recursive: true, force: true });
  await closeAll();
});

async function blocks(language: string): Promise<string[]> {
  const text = await readFile(path.join(root, "docs/crawling.md"), "utf8");
  const found = text.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, "gms"));
  return Array.from(found, ([, block = ""]) =>
    block
      .replaceAll("https://example.com/", `${base}/`)
      .replaceAll("http://127.0.0.1:3002", server.url),
  );
}

describe.skipIf(isRemote)("docs/crawling.md", () => {
  it(
    "the commands of docs/crawling.md work in order as written",
    { timeout: 120_000 },
    async () => {
      const commands = await blocks("sh");
      expect(commands.length).toBeGreaterThan(8);
      const npx = `npx() { shift; "${process.execPath}" "${root}/bin/quarry.mjs" "$@"; }`;
      const script = `set -e\n${npx}\n${commands.join("\n")}`;
      const { stdout } = await run("sh", ["-c", script], { cwd: folder, env: environment });
      const names = await readdir(folder);
      for (const name of [
        "site",
        "docs.ndjson",
        "later",
        "ledger.csv",
        "urls.txt",
        "pages",
        "pages.ndjson",
      ])
        expect(names).toContain(name);
      const linesOf = async (name: string): Promise<number> =>
        (await readFile(path.join(folder, name), "utf8")).trimEnd().split("\n").length;
      expect(await linesOf("site/index.ndjson")).toBe(4);
      expect(await linesOf("docs.ndjson")).toBe(2);
      expect(await linesOf("later/index.ndjson")).toBe(4);
      expect(await linesOf("pages.ndjson")).toBe(await linesOf("urls.txt"));
      expect(stdout).toContain('"event":"ended"');
      expect(stdout).toMatch(/"success":true,"id":"[0-9a-f-]{36}"/);
    },
  );

  it("the program in docs/crawling.md works as described", async () => {
    const [program = ""] = await blocks("js");
    const file = path.join(folder, "program.mjs");
    const source = path.join(root, "client/index.ts");
    await writeFile(file, program.replace('"@quarry/client"', JSON.stringify(source)));
    const key = (await readFile(path.join(dataFolder, "key"), "utf8")).trim();
    const env = { ...environment, QUARRY_API_KEY: key };
    const { stdout } = await run(process.execPath, [file], { cwd: folder, env });
    const lines = stdout.trimEnd().split("\n");
    expect(lines).toHaveLength(6);
    expect(lines.slice(0, 4).every((line) => line.startsWith(`200 ${base}/`))).toBe(true);
    expect(lines[4]).toMatch(/^completed 4 \{ fetched: 4\D/);
    expect(lines[5]).toBe("2 3");
  });
});
