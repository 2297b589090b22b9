// Runs README.md like a newcomer: its commands in one shell, and its program on the oldest
// supported Node.
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findOldestNode } from "../../architecture/oldest-node.ts";
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
let readme: string;
let environment: Record<string, string>;

beforeAll(async () => {
  if (isRemote) return;
  ({ base } = await openSite((request, response) => {
    response.writeHead(200, { "content-type": "text/html" });
    response.end(
      `<title>Harbour</title><main><h1>Harbour</h1><p>${"The harbour is open all year. ".repeat(9)}<a href="/tides">Tides</a></p></main>`,
    );
  }));
  dataFolder = await createDataFolder();
  folder = await mkdtemp(path.join(os.tmpdir(), "quarry-readme-"));
  const { PATH = "", HOME = "" } = process.env;
  environment = {
    PATH,
    HOME,
    NO_COLOR: "1",
    QUARRY_BROWSER: "none",
    QUARRY_EGRESS_ALLOW: "127.0.0.1",
  };
  server = await serve({ ...environment, QUARRY_DATA_DIR: dataFolder });
  await symlink(dataFolder, path.join(folder, ".quarry"));
  await symlink(path.join(root, "node_modules"), path.join(folder, "node_modules"));
  readme = await readFile(path.join(root, "README.md"), "utf8");
});
afterAll(async () => {
  if (isRemote) return;
  await server.stop();
  await rm(dataFolder, { recursive: true, force: true });
  await rm(folder, { recursive: true, force: true });
  await closeAll();
});

/** Code blocks of a language, with the test's server and site. */
const blocks = (language: string): string[] =>
  Array.from(
    readme.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, "gms")),
    ([, block = ""]) =>
      block
        .replaceAll(/https:\/\/(?:www\.)?example\.(?:com|edu)/g, base)
        .replaceAll("http://127.0.0.1:3002", server.url),
  );

describe.skipIf(isRemote)("README.md", () => {
  it("the README's curl request and scrapes work as pasted", async () => {
    const commands = blocks("sh").filter((block) => /^(?:export|npx quarry scrape)/.test(block));
    expect(commands).toHaveLength(2);
    // There is no browser here; the screenshot is tested where there is one.
    const script = commands.join("\n").replaceAll(/^.*-f screenshot.*$/gm, "");
    const npx = `npx() { shift; "${process.execPath}" "${root}/bin/quarry.mjs" "$@"; }`;
    const { stdout } = await run("sh", ["-c", `set -e\n${npx}\n${script}`], {
      cwd: folder,
      env: environment,
    });
    expect(stdout).toContain('"success":true');
    expect(stdout).toContain(`"links":["${base}/tides"]`);
    // curl's answer ends without a line break.
    expect(stdout.match(/# Harbour$/gm)).toHaveLength(2);
  });

  it("the README's program prints Markdown on the oldest supported Node", async () => {
    const [program = ""] = blocks("js");
    const file = path.join(folder, "page.mjs");
    await writeFile(file, program);
    const { file: node } = await findOldestNode();
    const key = (await readFile(path.join(dataFolder, "key"), "utf8")).trim();
    const { stdout } = await run(node, [file], {
      cwd: folder,
      env: { ...environment, QUARRY_API_KEY: key },
    });
    expect(stdout).toMatch(/^# Harbour\n/);
  });

  it("the README installs the newest published client, because npm on Node 20 picks an old one", () => {
    const installs = blocks("sh").filter((block) => block.includes("firecrawl-js"));
    expect(installs).toEqual(["npm install @mendable/firecrawl-js@latest\n"]);
  });

  it("the README names the API family, defines credits and says how to start a container", () => {
    const [first = ""] = readme.split("\n\n").slice(1);
    expect(first).toContain("Firecrawl v2 API");
    expect(readme).toMatch(/\*\*Credits\*\* are /);
    expect(readme).toContain("docker compose --profile single up --build");
    expect(readme).toContain("--omit=dev");
  });
});
