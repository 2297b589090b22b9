// Backup, restore, export, clean-up and migrations over the command line, with a server at work.
import { readFile, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { run, serve, type Environment, type ServingProcess } from "../../command-line.ts";
import { createDataFolder } from "../../data-folder.ts";
import { temporaryFolder } from "../../databases.ts";
import { closeAll, openSite } from "../../http-fetching.ts";
import { isRemote } from "../../service.ts";

const PAGES = 60;
/** Longer than what fits into a row, so that blobs are stored. */
const TEXT = "The ferry leaves at every full hour from the northern pier of the harbour. ".repeat(
  60,
);

let base: string;
let folder: string;
let environment: Environment;
let server: ServingProcess;
let file: string;
let passphrase: string;
let crawl: string;

type Counts = { readonly tables: Record<string, number>; readonly blobs: number };
type Job = { readonly status: string; readonly completed: number };

async function call<T>(url: string, route: string, body?: object): Promise<T> {
  const key = await readFile(path.join(folder, "key"), "utf8");
  const response = await fetch(`${url}${route}`, {
    method: body === undefined ? "GET" : "POST",
    headers: { authorization: `Bearer ${key.trim()}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return (await response.json()) as T;
}

async function runJson<T>(words: readonly string[], env: Environment = environment): Promise<T> {
  const { code, stdout, stderr } = await run([...words, "--json"], env);
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout) as T;
}

beforeAll(async () => {
  if (isRemote) return;
  ({ base } = await openSite((request, response) => {
    const at = Number((request.url ?? "/0").slice(1));
    response.writeHead(200, { "content-type": "text/html" });
    const links = Array.from({ length: PAGES }, (_, index) => `<a href="/${index}">${index}</a>`);
    response.end(
      `<title>${at}</title><main><h1>Page ${at}</h1><p>${TEXT} ${at}</p></main><nav>${links.join(" ")}</nav>`,
    );
  }));
  folder = await createDataFolder();
  file = path.join(await temporaryFolder(), "backup.tar");
  passphrase = path.join(path.dirname(file), "passphrase");
  await writeFile(passphrase, "correct horse battery\n");
  environment = { QUARRY_DATA_DIR: folder, QUARRY_EGRESS_ALLOW: "127.0.0.1", HOME: folder };
  server = await serve(environment);
  await run(["accounts", "create", "guests"], environment);
  ({ id: crawl } = await call<{ id: string }>(server.url, "/v2/crawl", {
    url: base,
    limit: PAGES,
  }));
});
afterAll(async () => {
  if (isRemote) return;
  await server.stop();
  await closeAll();
  await rm(folder, { recursive: true, force: true });
});

describe.skipIf(isRemote)("data commands", () => {
  it("a backup taken during a crawl restores to equal counts, and the crawl goes on there", async () => {
    const written = await runJson<Counts>(["backup", file, "--passphrase-file", passphrase]);
    expect(written.tables["jobs"]).toBe(1);
    expect(written.tables["accounts"]).toBe(2);
    expect((await stat(file)).mode & 0o077).toBe(0);
    const finished = async (url: string): Promise<Job> => await call(url, `/v2/crawl/${crawl}`);
    await expect
      .poll(async () => (await finished(server.url)).status, { timeout: 60_000 })
      .toBe("completed");

    const other = path.join(path.dirname(file), "restored");
    const inside = { ...environment, QUARRY_DATA_DIR: other };
    const restored = await runJson<Counts>(
      ["restore", file, "--passphrase-file", passphrase],
      inside,
    );
    expect(restored.tables).toEqual(written.tables);
    expect(restored.blobs).toBe(written.blobs);
    expect(await readFile(path.join(other, "secret"), "utf8").catch(() => "")).toBe(
      await readFile(path.join(folder, "secret"), "utf8").catch(() => ""),
    );
    const copy = await serve(inside);
    try {
      // Leases of the first server expire; then the pages are claimed again.
      await expect
        .poll(async () => await finished(copy.url), { timeout: 90_000, interval: 500 })
        .toMatchObject({ status: "completed", completed: PAGES });
    } finally {
      await copy.stop();
    }
    const again = await run(["restore", file], inside);
    expect(again.code).toBe(2);
    expect(again.stderr).toContain("not empty");
  }, 200_000);

  it("the secrets of a backup open only with its passphrase, and appear nowhere in plain text", async () => {
    const bytes = await readFile(file);
    const key = (await readFile(path.join(folder, "key"), "utf8")).trim();
    expect(bytes.includes(key)).toBe(false);
    const wrong = path.join(path.dirname(file), "wrong");
    await writeFile(wrong, "another passphrase");
    const inside = { ...environment, QUARRY_DATA_DIR: path.join(path.dirname(file), "never") };
    const { code, stderr } = await run(["restore", file, "--passphrase-file", wrong], inside);
    expect(code).toBe(2);
    expect(stderr).toContain("The passphrase does not open this backup.");
  }, 60_000);

  it("an incomplete backup is refused before anything is written", async () => {
    const cut = path.join(path.dirname(file), "cut.tar");
    const bytes = await readFile(file);
    await writeFile(cut, bytes.subarray(0, bytes.length - 2_000));
    const inside = { ...environment, QUARRY_DATA_DIR: path.join(path.dirname(file), "cut") };
    const { code, stderr } = await run(["restore", cut], inside);
    expect(code).toBe(2);
    expect(stderr).toContain("incomplete");
  }, 60_000);

  it("an export has the account's rows without keys of anyone, and only that account's", async () => {
    const target = path.join(path.dirname(file), "export.tar");
    const report = await runJson<Counts & { rows: number }>([
      "export",
      target,
      "--account",
      "default",
    ]);
    expect(report.tables["accounts"]).toBe(1);
    expect(report.tables["jobs"]).toBe(1);
    // The start page and those that it links to.
    expect(report.tables["frontier"]).toBe(PAGES + 1);
    const text = (await readFile(target)).toString("latin1");
    expect(text).toContain('"name":"default"');
    expect(text).not.toContain('"name":"guests"');
    expect(text).not.toMatch(/"(?:hash|previous_hash|sealed)":/);
    const none = await run(
      ["export", path.join(path.dirname(file), "none.tar"), "--account", "nobody"],
      environment,
    );
    expect(none.stderr).toContain("There is no account with the id or name nobody.");
  }, 60_000);

  it("gc cleans up while the server runs, and keeps what is in use", async () => {
    const report = await runJson<{ databaseBytesBefore: number; databaseBytes: number }>(["gc"]);
    // Nothing is to be removed here; rewritten tables may differ by some pages (compact.test.ts measures removed rows).
    expect(report.databaseBytes).toBeLessThan(report.databaseBytesBefore * 1.1);
    expect((await call<Job>(server.url, `/v2/crawl/${crawl}`)).completed).toBe(PAGES);
  }, 60_000);

  it("migrate --check reports the newest migration and nothing pending", async () => {
    const report = await runJson<{ number: number; newest: number; pending: unknown[] }>([
      "migrate",
      "--check",
    ]);
    expect(report.number).toBe(report.newest);
    expect(report.pending).toEqual([]);
  }, 60_000);

  it("doctor reports disk use by kind, reads a PDF and names the ffmpeg for audio", async () => {
    const { disk, findings, tried } = await runJson<{
      disk: { kind: string; bytes: number }[];
      findings: string[];
      tried: string[];
    }>(["doctor"]);
    const database = disk.find(({ kind }) => kind === "database");
    expect(database?.bytes).toBeGreaterThan(1_000_000);
    expect(findings.join("\n")).toMatch(/^disk +database \d+ MB, /m);
    expect(findings.join("\n")).toMatch(/^audio +MP3.*ffmpeg/m);
    expect(tried.join("\n")).toMatch(/^documents: PDF read in \d+\.\d s$/m);
  }, 60_000);
});
