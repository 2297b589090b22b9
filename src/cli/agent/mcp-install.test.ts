import { lstat, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { expect, it, vi } from "vitest";
import type { Config } from "../../config.ts";
import { installMcp } from "./mcp-install.ts";

it("writes through a link to a client's settings and keeps the link and the file's mode", async () => {
  const home = await mkdtemp(path.join(os.tmpdir(), "mcp-install-"));
  vi.stubEnv("HOME", home);
  vi.spyOn(process.stdout, "write").mockReturnValue(true);
  try {
    const kept = path.join(home, "kept.json");
    const link = path.join(home, ".cursor", "mcp.json");
    await writeFile(kept, '{"mcpServers": {"other": {"command": "other"}}}', { mode: 0o640 });
    await mkdir(path.dirname(link));
    await symlink(kept, link);
    await installMcp({ dataDir: home } as Config, "cursor", { yes: true, json: true });
    expect((await lstat(link)).isSymbolicLink()).toBe(true);
    expect(JSON.parse(await readFile(kept, "utf8"))).toMatchObject({
      mcpServers: { other: { command: "other" }, quarry: { args: expect.any(Array) as unknown } },
    });
    expect((await lstat(kept)).mode & 0o777).toBe(0o640);
  } finally {
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
    await rm(home, { recursive: true });
  }
});
