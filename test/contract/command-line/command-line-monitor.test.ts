// `quarry monitor` against a running server: every command, with the options of `add`.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { run, serve, type Outcome, type ServingProcess } from "../../command-line.ts";
import { createDataFolder } from "../../data-folder.ts";
import { closeAll, openSite } from "../../http-fetching.ts";
import { isRemote } from "../../service.ts";

let base: string;
let folder: string;
let server: ServingProcess;
let price = "25.00";
let hook: string;
let closeHook: () => void;
const received: string[] = [];
const quarry = (...words: string[]): Promise<Outcome> =>
  run(["monitor", ...words], {
    QUARRY_DATA_DIR: folder,
    QUARRY_EGRESS_ALLOW: "127.0.0.1",
    HOME: folder,
  });

beforeAll(async () => {
  if (isRemote) return;
  ({ base } = await openSite((_request, response) => {
    response.writeHead(200, { "content-type": "text/html" });
    response.end(
      `<title>Lamp</title><main><h1>Lamp</h1><p>${"The lamp is made of brass. ".repeat(9)}</p>
<p class="price">Price: ${price} EUR</p><p class="stock">In stock: ${price.length}</p></main>`,
    );
  }));
  const receiver = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      received.push(`${request.url} ${Buffer.concat(chunks).toString("utf8")}`);
      response.end();
    });
  });
  await new Promise<void>((resolve) => void receiver.listen(0, "127.0.0.1", resolve));
  hook = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  closeHook = () => void receiver.close();
  folder = await createDataFolder();
  server = await serve({
    QUARRY_DATA_DIR: folder,
    QUARRY_EGRESS_ALLOW: "127.0.0.1",
    HOME: folder,
  });
});
afterAll(async () => {
  if (isRemote) return;
  await server.stop();
  closeHook();
  await closeAll();
  await rm(folder, { recursive: true, force: true });
});

describe.skipIf(isRemote)("quarry monitor", () => {
  it("adds, tests, runs, shows, lists, pauses and resumes a monitor", async () => {
    const options = ["--every", "1d", "--selector", ".price", "--when", "Price < 20"];
    const notify = ["--notify", `ntfy:${hook}/lamps`, "--name", "Lamp"];
    const added = await quarry("add", `${base}/lamp`, ...options, ...notify);
    expect(added.code, added.stderr).toBe(0);
    const id = added.stdout.trim();
    expect(added.stderr).toContain("credits a month");

    const tested = await quarry("test", id);
    expect(tested.stdout).toMatch(/^ntfy channel_\w+: delivered\n$/);
    expect(received.at(-1)).toContain("test notification");

    expect((await quarry("run", id)).stderr).toContain("1 new");
    price = "22.00";
    const above = await quarry("run", id);
    expect(above.stdout).toContain("-Price: 25.00 EUR");
    expect(above.stdout).toContain("does not matter: No condition is met.");
    expect(above.stdout).not.toContain("In stock");
    price = "18.00";
    expect((await quarry("run", id)).stdout).toContain("+Price: 18.00 EUR");
    await expect.poll(() => received.at(-1), { timeout: 10_000 }).toContain("18.00");
    expect(received).toHaveLength(2);

    expect((await quarry("diff", id)).stdout).toContain("+Price: 18.00 EUR");
    const checks = (await quarry("checks", id)).stdout.trim().split("\n");
    expect(checks).toHaveLength(3);
    const first = checks.at(-1)?.split(" ")[0] ?? "";
    expect((await quarry("diff", id, first)).stdout).toContain(`new ${base}/lamp`);
    expect((await quarry("list")).stdout).toContain(`${id} active daily`);

    expect((await quarry("pause", id)).stdout).toContain("paused");
    expect((await quarry("pause", id, "--resume")).stdout).toContain("active");
    const until = JSON.parse(
      (await quarry("pause", id, "--until", "2099-01-01T00:00Z", "--json")).stdout,
    ) as { pauseUntil: string };
    expect(until.pauseUntil).toBe("2099-01-01T00:00:00.000Z");
    expect((await quarry("list")).stdout).toContain("paused until 2099-01-01T00:00:00.000Z");
    const wrong = await quarry("add", `${base}/lamp`, "--every", "1h", "--when", "cheap");
    expect(wrong).toMatchObject({ code: 2, stdout: "" });
    expect(wrong.stderr).toContain("--when cheap is not understood");
  }, 300_000);

  it("imports a list, names what it skips, and saves nothing in a dry run", async () => {
    const file = path.join(folder, "url-watches.json");
    const watching = {
      a: { url: `${base}/lamp`, title: "Paused lamp", paused: true },
      b: { url: `${base}/buy`, method: "POST" },
      c: { url: "http://169.254.169.254/latest", title: "Metadata" },
      d: { url: `${base}/x`, notification_urls: ["json://10.0.0.1/secret"], title: "Inner hook" },
    };
    await writeFile(file, JSON.stringify({ watching, settings: {} }));
    const dry = await quarry("import", file, "--dry-run");
    expect(dry.stdout).toContain("would import Paused lamp");
    expect((await quarry("list")).stdout).not.toContain("Paused lamp");

    const done = await quarry("import", file);
    expect(done.stdout).toContain("Paused lamp");
    expect(done.stderr).toContain("skipped 127.0.0.1");
    expect(done.stderr).toContain("It sends POST requests.");
    expect(done.stderr).toMatch(/skipped Inner hook: .*channels\[0\]\.url/);
    expect(done.stderr).not.toContain("secret");
    const { stdout } = await quarry("list");
    expect(stdout).toMatch(/paused every 3 hours.*Paused lamp/);
    expect(stdout).not.toContain("Inner hook");
    const missing = await quarry("import", path.join(folder, "none.json"));
    expect(missing.code).toBe(2);
    expect(missing.stderr).toContain("cannot be read (ENOENT)");
  }, 180_000);
});
