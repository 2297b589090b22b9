// quarry hostile and quarry webhooks, as processes against a running server.
import { readFile, rm } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { HostileReport } from "../../../src/hostile/run-hostile.ts";
import { run } from "../../command-line.ts";
import { createDataFolder } from "../../data-folder.ts";
import { isRemote, startService, type Service } from "../../service.ts";

let closed: Service;
let open: Service;
let folder: string;
beforeAll(async () => {
  folder = await createDataFolder();
  closed = await startService(undefined, { egressAllow: ["127.0.0.2"], browser: "none" });
  open = await startService(undefined, { egressAllow: ["127.0.0.0/8"], browser: "none" });
});
afterAll(async () => {
  await Promise.all([closed.close(), open.close()]);
  await rm(folder, { recursive: true, force: true });
});

const environment = (): Record<string, string> => ({ QUARRY_DATA_DIR: folder });
const test = (service: Service, ...words: string[]) =>
  run(
    ["hostile", "--target", service.url, "--key", service.key, "--small", ...words],
    environment(),
  );

describe.skipIf(isRemote)("quarry hostile", () => {
  it("quarry hostile exits with 0 and lists passed and skipped cases", async () => {
    const { code, stdout } = await test(
      closed,
      "--only",
      "ssrf-redirects",
      "--only",
      "ssrf-browser",
    );
    expect(stdout).toMatch(/^held +ssrf-redirects +critical/m);
    expect(stdout).toMatch(/^skipped +ssrf-browser .*QUARRY_BROWSER is none/m);
    expect(stdout).toContain("1 held, 0 broke, 1 skipped");
    expect(code).toBe(0);
  });

  it("quarry hostile exits with 1 and reports the evidence of a failed case", async () => {
    const file = path.join(folder, "report.json");
    const { code, stdout } = await test(open, "--only", "ssrf-redirects", "--report", file);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^broke +ssrf-redirects/m);
    const report = JSON.parse(await readFile(file, "utf8")) as HostileReport;
    expect(report).toMatchObject({
      target: open.url,
      size: "small",
      counts: { held: 0, broke: 1, skipped: 0 },
      results: [
        {
          name: "ssrf-redirects",
          severity: "critical",
          outcome: "broke",
          evidence: expect.stringContaining("the canary was reached") as string,
        },
      ],
    });
  });

  it("quarry hostile exits with 2 for a wrong call", async () => {
    for (const words of [
      ["--only", "no-such-case"],
      ["--key", "wrong"],
      ["--address", "127.0.0.3"],
    ]) {
      const { code, stderr } = await test(closed, ...words);
      expect([code, stderr], words.join(" ")).toEqual([
        2,
        expect.stringMatching(/^quarry hostile: /),
      ]);
    }
    expect((await run(["hostile"], environment())).code).toBe(2);
  });

  it("quarry hostile lists its cases with their severity", async () => {
    const { code, stdout } = await run(["hostile", "--list"], environment());
    expect(code).toBe(0);
    expect(stdout).toMatch(/^console-text +critical +\S/m);
  });
});

describe.skipIf(isRemote)("quarry webhooks secret", () => {
  it("quarry webhooks secret prints an account's secret and a new one with --rotate", async () => {
    const environment = { QUARRY_DATA_DIR: closed.dataDir };
    const first = await run(["webhooks", "secret"], environment);
    expect(first).toMatchObject({ code: 0, stdout: expect.stringMatching(/^whsec_[\w-]{43}\n$/) });
    const again = await run(["webhooks", "secret", "--account", "default"], environment);
    expect(again.stdout).toBe(first.stdout);
    const rotated = await run(["webhooks", "secret", "--rotate"], environment);
    expect(rotated.stdout).not.toBe(first.stdout);
    expect((await run(["webhooks", "secret"], environment)).stdout).toBe(rotated.stdout);
    const unknown = await run(["webhooks", "secret", "--account", "nobody"], environment);
    expect([unknown.code, unknown.stderr]).toEqual([2, "quarry: There is no account nobody.\n"]);
  });
});
