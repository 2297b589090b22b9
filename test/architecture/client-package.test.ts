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

/** A server that answers every scrape with the same document. */
async function startServer(): Promise<AsyncDisposable & { url: string }> {
  const data = {
    markdown: "# Hello",
    links: ["https://example.com/a"],
    metadata: { title: "Hello", statusCode: 200 },
  };
  const server = createServer((_request, response) => {
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ success: true, data }));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      server.close();
      await once(server, "close");
    },
  };
}

describe("published package", () => {
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

  async function runProgram(node: string, source: string): Promise<string> {
    const program = path.join(project, "program.mjs");
    await writeFile(program, source);
    return (await run(node, [program], { timeout: 20_000 })).stdout;
  }

  it("the published package mentions no Zod, Node module or .ts import", async () => {
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

  it("the published package loads and scrapes on the oldest supported Node", async () => {
    await using server = await startServer();
    const { file, major } = await findOldestNode();
    const stdout = await runProgram(
      file,
      `import { NotFoundError, QuarryClient } from "@quarry/client";
       const client = new QuarryClient({ apiUrl: "${server.url}" });
       const { markdown } = await client.scrape("https://example.com/");
       console.log(markdown, NotFoundError.name, process.versions.node.split(".")[0]);`,
    );
    expect(stdout).toBe(`# Hello NotFoundError ${major}\n`);
  });

  it("the published package runs the example of its README", async () => {
    await using server = await startServer();
    const readme = await readFile(path.join(root, "client/README.md"), "utf8");
    const example = /```js\n([^]*?)```/.exec(readme)?.[1] ?? "";
    expect(example).toContain("http://127.0.0.1:3002");
    const program = example.replace("http://127.0.0.1:3002", server.url);
    expect(await runProgram(process.execPath, program)).toBe(
      "Hello # Hello [ 'https://example.com/a' ]\n",
    );
  });

  it("the published package type-checks in a browser project without Zod and Node types", async () => {
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
