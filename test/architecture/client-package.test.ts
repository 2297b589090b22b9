import { execFile } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildClient } from "../../scripts/build-client.ts";
import { findOldestNode } from "./oldest-node.ts";

const run = promisify(execFile);
const root = path.resolve(import.meta.dirname, "../..");

describe("the published package", () => {
  let project: string;
  let installed: string;

  beforeAll(async () => {
    project = await mkdtemp(path.join(tmpdir(), "quarry-consumer-"));
    installed = path.join(project, "node_modules/@quarry/client");
    await mkdir(installed, { recursive: true });
    await cp(path.join(root, "client/package.json"), path.join(installed, "package.json"));
    await buildClient(path.join(installed, "dist"));
  });
  afterAll(() => rm(project, { recursive: true, force: true }));

  it("mentions neither Zod nor a Node module nor a .ts import", async () => {
    const files = await readdir(installed, { recursive: true, withFileTypes: true });
    const sources = files.filter((file) => file.isFile() && /\.(js|d\.ts)$/.test(file.name));
    expect(sources.length).toBeGreaterThan(10);
    for (const file of sources) {
      const text = await readFile(path.join(file.parentPath, file.name), "utf8");
      expect(text, file.name).not.toMatch(
        /^(?:import|export)[^;]*from "(?!\.)|import\("|"node:|\bzod\b/m,
      );
      if (file.name.endsWith(".js")) expect(text, file.name).not.toMatch(/from "[^"]*\.ts"/);
    }
  });

  it("loads and scrapes in the oldest Node there is", async () => {
    const server = createServer((_request, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ success: true, data: { markdown: "# Hello" } }));
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    try {
      const { port } = server.address() as AddressInfo;
      const program = path.join(project, "program.mjs");
      await writeFile(
        program,
        `import { NotFoundError, QuarryClient } from "@quarry/client";
         const client = new QuarryClient({ apiUrl: "http://127.0.0.1:${port}" });
         const { markdown } = await client.scrape("https://example.com/");
         console.log(markdown, NotFoundError.name, process.versions.node.split(".")[0]);`,
      );
      const node = await findOldestNode();
      const { stdout } = await run(node.file, [program], { timeout: 20_000 });
      expect(stdout.trim()).toBe(`# Hello NotFoundError ${node.major}`);
    } finally {
      server.close();
    }
  });

  it("type-checks in a browser project that has neither Zod nor Node types", async () => {
    await writeFile(
      path.join(project, "page.ts"),
      `import { QuarryClient, RateLimitError, type Document, type ScrapeParameters } from "@quarry/client";
       const parameters: ScrapeParameters = { formats: ["markdown", { type: "screenshot", fullPage: true }] };
       export const load = async (): Promise<string | undefined> => {
         try {
           const page: Document = await new QuarryClient().scrape("https://example.com/", parameters);
           const status: number | undefined = page.metadata.statusCode;
           return \`\${status} \${page.markdown}\`;
         } catch (error) {
           return error instanceof RateLimitError ? String(error.retryAfterMs) : undefined;
         }
       };
       // @ts-expect-error -- a field that no scrape has
       export const wrong: ScrapeParameters = { onlyMainContents: true };
       // @ts-expect-error -- a format that does not exist
       export const unknown: ScrapeParameters = { formats: ["markup"] };`,
    );
    const compilerOptions = {
      target: "es2022",
      lib: ["es2022", "dom"],
      module: "esnext",
      moduleResolution: "bundler",
      strict: true,
      exactOptionalPropertyTypes: true,
      skipLibCheck: false,
      types: [],
      noEmit: true,
    };
    await writeFile(
      path.join(project, "tsconfig.json"),
      JSON.stringify({ compilerOptions, files: ["page.ts"] }),
    );
    const compiler = path.join(root, "node_modules/typescript/bin/tsc");
    const check = await run(process.execPath, [compiler, "-p", project]).then(
      () => "",
      (error: { stdout: string }) => error.stdout,
    );
    expect(check).toBe("");
  });
});
