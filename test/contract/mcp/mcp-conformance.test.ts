// The official conformance tool against /mcp, with all that it requires of servers for both
// revisions of the protocol.
import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { isRemote, startService } from "../../service.ts";
import { EXPECTED_FAILURES } from "./conformance-failures.ts";

type Check = {
  readonly id: string;
  readonly status: "SUCCESS" | "FAILURE" | "WARNING" | "SKIPPED" | "INFO";
  readonly errorMessage?: string;
};

const REVISIONS = ["2025-11-25", "2026-07-28"];
const require = createRequire(import.meta.url);
const folderOfTool = path.dirname(
  require.resolve("@modelcontextprotocol/conformance/package.json"),
);

/** Runs the scenarios of a revision; returns their checks by `scenario/check`. */
async function runTool(url: string, revision: string): Promise<(readonly [string, Check])[]> {
  const folder = await mkdtemp(path.join(tmpdir(), "conformance-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const tool = path.join(folderOfTool, "dist/index.js");
  const words = ["server", "--url", url, "--requirements", revision, "-o", folder];
  // It exits with 1 for any failure; the checks say which.
  await new Promise<void>((resolve) => {
    execFile(process.execPath, [tool, ...words], { maxBuffer: 64e6 }, () => resolve());
  });
  const found: (readonly [string, Check])[] = [];
  for (const run of await readdir(folder)) {
    const [, scenario = run] = /^server-(.*)-\d{4}-\d\d-\d\dT/.exec(run) ?? [];
    const checks = JSON.parse(
      await readFile(path.join(folder, run, "checks.json"), "utf8"),
    ) as Check[];
    for (const check of checks) found.push([`${scenario}/${check.id}`, check]);
  }
  return found;
}

describe.skipIf(isRemote)("MCP conformance tool", () => {
  it("fails only the checks that are about the tool's sample server", async () => {
    const open = await startService(undefined, { auth: false });
    onTestFinished(() => open.close());
    const failures = new Map<string, Set<string>>();
    for (const revision of REVISIONS) {
      const checks = await runTool(`${open.url}/mcp`, revision);
      expect(checks.filter(([, { status }]) => status === "SUCCESS").length).toBeGreaterThan(30);
      for (const [name, { status, errorMessage = "" }] of checks)
        if (status === "FAILURE")
          failures.set(name, (failures.get(name) ?? new Set()).add(errorMessage));
    }
    const expected = EXPECTED_FAILURES.flatMap(({ checks }) => checks);
    expect([...failures.keys()].sort()).toEqual([...expected].sort());
    for (const { message, checks } of EXPECTED_FAILURES)
      for (const name of checks)
        for (const shown of failures.get(name) ?? []) expect(shown, name).toMatch(message);
  }, 240_000);
});
