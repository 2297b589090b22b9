// Runs each recipe of docs/cookbook.md as printed, in order in one shell, against a local site.
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testBrowserExecutable } from "../../browser/launch.ts";
import { serve, type ServingProcess } from "../../command-line.ts";
import { createDataFolder } from "../../data-folder.ts";
import { pdfFile } from "../../documents/pdf-file.ts";
import { closeAll, openSite } from "../../http-fetching.ts";
import { isRemote } from "../../service.ts";

const root = path.resolve(import.meta.dirname, "../../..");
const run = promisify(execFile);

let base: string;
let dataFolder: string;
let folder: string;
let server: ServingProcess;
let environment: Record<string, string>;
let jacketPrice = 184;
const hooks: string[] = [];

const PRODUCTS: Readonly<Record<string, readonly [name: string, price: () => string]>> = {
  jacket: ["Fjell Jacket", () => `£${jacketPrice}.00`],
  cap: ["Lofot Cap", () => "£20.00"],
  anorak: ["Skarv Anorak", () => "£129.00"],
  boots: ['Tind "Vinter" Boots', () => "£99.50"],
};
const WORDS = "It has words of its own, and enough of them to be the content of a page. ".repeat(4);

const productPage = (name: string, price: string): string =>
  `<title>${name} - Shop</title><nav><a href="/shop/">Shop</a></nav>
  <main><h1>${name}</h1><p class="price">Price: <b>${price}</b></p><p>${WORDS}</p></main>`;

/** Shows 10 more entries whenever the end is reached, 50 in all. */
const FEED = `<title>Feed</title><main><h1>Feed</h1><ul id="list"></ul></main><script>
  let count = 0;
  const add = () => {
    for (let end = Math.min(50, count + 10); count < end; ) {
      const item = document.createElement("li");
      item.style.height = "120px";
      item.textContent = "Entry number " + ++count + " of the list";
      list.append(item);
    }
  };
  add();
  addEventListener("scroll", () => {
    if (innerHeight + scrollY >= document.body.scrollHeight - 50) setTimeout(add, 50);
  });
</script>`;

function answer(request: IncomingMessage, response: ServerResponse): void {
  const place = request.url ?? "/";
  const send = (html: string, headers: Record<string, string> = {}): void =>
    void response
      .writeHead(200, { "content-type": "text/html; charset=utf-8", ...headers })
      .end(html);
  const isMember = request.headers.cookie?.includes("member=ada") === true;
  const product = PRODUCTS[/^\/shop\/p\/(\w+)$/.exec(place)?.[1] ?? ""];
  if (place === "/login")
    send(`<title>Log in</title><form method="post" action="/enter"><input name="user"><input name="password" type="password">
      <button>Log in</button></form>`);
  else if (place === "/enter") {
    let body = "";
    request.on("data", (bytes) => (body += String(bytes)));
    request.on("end", () => {
      const fields = new URLSearchParams(body);
      const isRight = fields.get("user") === "ada" && fields.get("password") === "lovelace";
      const headers = { location: isRight ? "/orders" : "/login" };
      response
        .writeHead(303, isRight ? { ...headers, "set-cookie": "member=ada; Path=/" } : headers)
        .end();
    });
  } else if (place === "/orders")
    send(
      isMember
        ? `<title>Orders</title><main id="orders"><h1>Orders of Ada</h1><p>${WORDS}</p></main>`
        : "<p>Log in.</p>",
    );
  else if (place === "/feed") send(FEED);
  else if (place === "/shop/")
    send(
      `<title>Shop</title><main><p>${WORDS}</p>${Object.keys(PRODUCTS)
        .map((key) => `<a href="/shop/p/${key}">${key}</a>`)
        .join(" ")}</main>`,
    );
  else if (product !== undefined) send(productPage(product[0], product[1]()));
  else if (/^\/docs\/(?:\w+)?$/.test(place))
    send(`<title>${place}</title><main><h1>Guide ${place}</h1><p>${WORDS}</p><h2>Details</h2><p>${WORDS.repeat(20)}</p>
      <a href="/docs/install">Install</a> <a href="/docs/use">Use</a></main>`);
  else if (place === "/hook") {
    let body = "";
    request.on("data", (bytes) => (body += String(bytes)));
    request.on("end", () => {
      hooks.push(body);
      response.writeHead(200).end();
    });
  } else
    response.writeHead(404, { "content-type": "text/html" }).end("<p>There is no such page.</p>");
}

/** The text of the page, with addresses of this test. */
async function readCookbook(): Promise<string> {
  const text = await readFile(path.join(root, "docs/cookbook.md"), "utf8");
  return text
    .replaceAll("https://example.com/", `${base}/`)
    .replaceAll("http://127.0.0.1:3002", server.url);
}

beforeAll(async () => {
  if (isRemote) return;
  ({ base } = await openSite(answer));
  dataFolder = await createDataFolder();
  folder = await mkdtemp(path.join(os.tmpdir(), "quarry-cookbook-"));
  const { PATH = "", HOME = "" } = process.env;
  environment = {
    PATH,
    HOME,
    NO_COLOR: "1",
    QUARRY_DATA_DIR: dataFolder,
    QUARRY_EGRESS_ALLOW: "127.0.0.1",
    QUARRY_BROWSER: await testBrowserExecutable(),
  };
  server = await serve(environment);
  await symlink(dataFolder, path.join(folder, ".quarry"));
  await mkdir(path.join(folder, "pdfs"));
  for (const name of ["one", "two"])
    await writeFile(
      path.join(folder, "pdfs", `${name}.pdf`),
      pdfFile([{ lines: [{ x: 72, y: 72, text: `The text of file ${name}` }] }]),
    );
  const source = path.join(root, "client/index.ts");
  for (const [, name = "", program = ""] of (await readCookbook()).matchAll(
    /`(\w+\.mjs)`[^`]*\n\n```js\n(.*?)^```/gms,
  ))
    await writeFile(
      path.join(folder, name),
      program.replace('"@quarry/client"', JSON.stringify(source)),
    );
});
afterAll(async () => {
  if (isRemote) return;
  await server.stop();
  await rm(dataFolder, { recursive: true, force: true });
  await rm(folder, { recursive: true, force: true });
  await closeAll();
});

const readLines = async (name: string): Promise<string[]> =>
  (await readFile(path.join(folder, name), "utf8")).trimEnd().split("\n");

describe.skipIf(isRemote)("docs/cookbook.md", () => {
  it("every recipe of docs/cookbook.md works as printed", { timeout: 300_000 }, async () => {
    const commands = Array.from(
      (await readCookbook()).matchAll(/^```sh\n(.*?)^```/gms),
      ([, block = ""]) => block,
    );
    expect(commands.length).toBe(8);
    const npx = `npx() { shift; "${process.execPath}" "${root}/bin/quarry.mjs" "$@"; }
      node() { "${process.execPath}" "$@"; }`;
    const script = `set -e\n${npx}\n${commands.join("\n")}\necho "watch $watch"`;
    const { stdout } = await run("sh", ["-c", script], { cwd: folder, env: environment });

    expect((await readLines("orders.md"))[0]).toBe("# Orders of Ada");
    const entries = (await readLines("feed.md")).filter((line) => line.includes("Entry number"));
    expect(entries).toHaveLength(50);

    const [head, ...rows] = await readLines("products.csv");
    expect(head).toBe('"url","name","price"');
    expect(rows.toSorted()).toEqual(
      Object.entries(PRODUCTS)
        .map(
          ([key, [name, price]]) =>
            `"${base}/shop/p/${key}","${name.replaceAll('"', '""')}","${price()}"`,
        )
        .toSorted(),
    );

    const chunks = (await readLines("chunks.ndjson")).map(
      (line) => JSON.parse(line) as { id: string; page: string; text: string; tokens: number },
    );
    expect(new Set(chunks.map(({ id }) => id.split("#")[0]))).toEqual(
      new Set(["", "install", "use"].map((name) => `${base}/docs/${name}`)),
    );
    expect(chunks.length).toBeGreaterThan(3);
    for (const { tokens, text } of chunks) {
      expect(tokens).toBeLessThanOrEqual(400);
      expect(text).not.toBe("");
    }

    for (const name of ["one", "two"])
      expect((await readLines(`texts/${name}.md`)).join("\n")).toContain(
        `The text of file ${name}`,
      );

    // The recipe ends with the first check. The price falls, and the next check calls the hook.
    const watch = /^watch (\S+)$/m.exec(stdout)?.[1] ?? "";
    expect(hooks).toEqual([]);
    jacketPrice = 140;
    await run(process.execPath, [`${root}/bin/quarry.mjs`, "monitor", "run", watch], {
      cwd: folder,
      env: environment,
    });
    await expect.poll(() => hooks.length).toBe(1);
    expect(hooks[0]).toContain("140");
  });
});
