// quarry search against a server, and an extraction whose server is killed.
import { rm } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { QuarryClient } from "../../../client/client.ts";
import { run, serve, type Environment, type ServingProcess } from "../../command-line.ts";
import { createDataFolder } from "../../data-folder.ts";
import { closeAll, openSite } from "../../http-fetching.ts";
import { isRemote } from "../../service.ts";

const KEY = "qy-test-0123456789abcdef0123456789abcdef";
const person = (name: string): string =>
  `<!doctype html><html lang="en"><title>${name}</title><script type="application/ld+json">${JSON.stringify(
    {
      "@context": "https://schema.org",
      "@type": "Person",
      name,
      knowsLanguage: [name, "English"],
    },
  )}</script><main><h1>${name}</h1><p>${`${name} keeps the lighthouse of the harbour. `.repeat(10)}</p></main></html>`;

let base: string;
let folder: string;
let environment: Environment;
let serving: ServingProcess;
const asked: string[] = [];
let isSlow = true;

beforeAll(async () => {
  if (isRemote) return;
  ({ base } = await openSite((request, response) => {
    const path = request.url ?? "/";
    if (path === "/robots.txt") return void response.writeHead(404).end();
    asked.push(path);
    if (path === "/bertha" && isSlow) return;
    response.writeHead(200, { "content-type": "text/html" });
    response.end(person(path === "/bertha" ? "Bertha" : "Ada\u001b[31m"));
  }));
  folder = await createDataFolder();
  environment = {
    QUARRY_DATA_DIR: folder,
    QUARRY_API_KEY: KEY,
    QUARRY_EGRESS_ALLOW: "127.0.0.1",
    QUARRY_LOG_LEVEL: "error",
  };
  serving = await serve(environment);
}, 60_000);
afterAll(async () => {
  if (isRemote) return;
  await serving.stop("SIGKILL");
  await rm(folder, { recursive: true, force: true });
  await closeAll();
});

const connect = (): QuarryClient => new QuarryClient({ apiUrl: serving.url, apiKey: KEY });

describe.skipIf(isRemote)("quarry search", () => {
  it("prints results as text and JSON without terminal control sequences", async () => {
    await connect().scrape(`${base}/ada`);
    const server = ["--api-url", serving.url, "--api-key", KEY];
    const text = await run(["search", "lighthouse", ...server], environment);
    expect([text.code, text.stderr]).toEqual([0, ""]);
    expect(text.stdout.split("\n")[0]).toBe(`${base}/ada`);
    expect(text.stdout).toContain("keeps the lighthouse");
    expect(text.stdout).not.toContain("\u001b");
    const json = await run(
      ["search", "lighthouse", "--json", "--format", "markdown", ...server],
      environment,
    );
    const { web } = JSON.parse(json.stdout) as { web: { markdown: string }[] };
    expect(web[0]?.markdown).toContain("keeps the lighthouse");
    const none = await run(["search", "quetzalcoatl", ...server], environment);
    expect([none.code, none.stdout]).toEqual([0, ""]);
    expect(none.stderr).toContain("warning:");
    const wrong = await run(["search", "x", "--source", "maps", ...server], environment);
    expect(wrong.code).not.toBe(0);
  });
});

describe.skipIf(isRemote)("extraction", () => {
  it("resumes an extraction after its server was killed and reads no page twice", async () => {
    const schema = {
      type: "object",
      properties: {
        name: { type: "string" },
        knowsLanguage: { type: "array", items: { type: "string" } },
      },
    };
    const urls = [`${base}/new`, `${base}/bertha`];
    const id = await connect().startExtract({ urls, schema });
    await expect.poll(async () => (await connect().extraction(id)).creditsUsed).toBe(5);
    await serving.stop("SIGKILL");
    isSlow = false;
    serving = await serve(environment);
    await expect
      .poll(async () => (await connect().extraction(id)).status, { timeout: 80_000, interval: 500 })
      .toBe("completed");
    const { data } = await connect().extraction(id);
    expect(data).toMatchObject({ knowsLanguage: expect.arrayContaining(["Bertha"]) });
    expect(asked.filter((path) => path === "/new")).toHaveLength(1);
  }, 120_000);
});
