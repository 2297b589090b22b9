import {
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  symlink,
  writeFile,
} from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { Command } from "commander";
import { expect, it, vi } from "vitest";
import type { Config } from "../../config.ts";
import { RequestError } from "../../errors.ts";
import { TOOL_GROUPS } from "../../mcp/create-mcp-server.ts";
import { addAgentCommands } from "./agent-commands.ts";
import { installMcp, type McpInstallOptions } from "./mcp-install.ts";
import { replaceFile } from "./replace-file.ts";

type Install = (options?: McpInstallOptions) => Promise<string>;

/** Runs a test in a home folder of its own; `install` returns what the command printed. */
async function withHome(
  test: (place: { home: string; file: string; install: Install }) => Promise<void>,
): Promise<void> {
  const home = await mkdtemp(path.join(os.tmpdir(), "mcp-install-"));
  vi.stubEnv("HOME", home);
  let printed = "";
  for (const stream of [process.stdout, process.stderr])
    vi.spyOn(stream, "write").mockImplementation((text) => {
      printed += String(text);
      return true;
    });
  try {
    await mkdir(path.join(home, ".cursor"));
    await test({
      home,
      file: path.join(home, ".cursor", "mcp.json"),
      install: async (options = {}) => {
        printed = "";
        await installMcp({ dataDir: home } as Config, "cursor", { yes: true, ...options });
        return printed;
      },
    });
  } finally {
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
    await rm(home, { recursive: true });
  }
}

const readMode = async (file: string): Promise<number> => (await lstat(file)).mode & 0o777;
const OTHER = '{"mcpServers": {"other": {"command": "other"}}}';
const KEYED = { apiUrl: "http://127.0.0.1:3002", apiKey: "qy-secret" };

it("writes through a link to a client's settings and keeps the link and the file's mode", async () => {
  await withHome(async ({ home, file, install }) => {
    const kept = path.join(home, "kept.json");
    await writeFile(kept, OTHER);
    await chmod(kept, 0o640);
    await symlink(kept, file);
    await install({ json: true });
    expect((await lstat(file)).isSymbolicLink()).toBe(true);
    expect(JSON.parse(await readFile(kept, "utf8"))).toMatchObject({
      mcpServers: { other: { command: "other" }, quarry: { args: expect.any(Array) as unknown } },
    });
    expect(await readMode(kept)).toBe(0o640);
  });
});

it.each(["../dotfiles/cursor/mcp.json", "second.json"])(
  "writes through a link to settings that do not exist yet: %s",
  async (target) => {
    await withHome(async ({ home, file, install }) => {
      const folder = path.join(home, ".cursor");
      await symlink(target, file);
      if (target === "second.json") await symlink("../third.json", path.join(folder, target));
      await install();
      expect((await lstat(file)).isSymbolicLink()).toBe(true);
      const written = path.join(
        home,
        target === "second.json" ? "third.json" : "dotfiles/cursor/mcp.json",
      );
      expect((await lstat(written)).isFile()).toBe(true);
      expect(await readFile(file, "utf8")).toContain("quarry");
      expect(await readMode(written)).toBe(0o600);
    });
  },
);

it("keeps the mode of a file that gets an API key, and says that others can read it", async () => {
  await withHome(async ({ file, install }) => {
    await writeFile(file, OTHER);
    await chmod(file, 0o644);
    const warning = `Other users can read the API key in the file (mode 0644). Run: chmod 600 '${file}'`;
    expect(await install()).not.toContain("chmod");
    expect(await install(KEYED)).toContain(warning);
    expect(await readMode(file)).toBe(0o644);
    expect(await install(KEYED)).toContain(warning);
    expect(await readMode(file)).toBe(0o644);
    await chmod(file, 0o400);
    expect(await install(KEYED)).not.toContain("chmod");
    expect(JSON.parse(await install({ ...KEYED, json: true, tools: "all" }))).toMatchObject({
      mode: "0400",
      changed: true,
    });
    expect(await readMode(file)).toBe(0o400);
  });
});

it("reports links in a loop and too many links", async () => {
  await withHome(async ({ home, file, install }) => {
    await symlink("mcp.json", file);
    const failed = install({ json: true });
    await expect(failed).rejects.toThrow(RequestError);
    await expect(failed).rejects.toThrow(
      `${file} has too many symbolic links, or they form a loop.`,
    );
    expect(await readdir(path.join(home, ".cursor"))).toEqual(["mcp.json"]);
    await rm(file);
    const folder = await mkdtemp(path.join(home, "links-"));
    for (let at = 0; at < 41; at++)
      await symlink(path.join(folder, `${at + 1}`), path.join(folder, `${at}`));
    await symlink(path.join(folder, "0"), file);
    await expect(install({ json: true })).rejects.toThrow("has too many symbolic links");
  });
});

it("leaves no file with the key when the settings cannot be replaced", async () => {
  await withHome(async ({ home }) => {
    const folder = path.join(home, ".cursor");
    // A file cannot be renamed onto a folder.
    await mkdir(path.join(folder, "settings"));
    await expect(replaceFile(path.join(folder, "settings"), "qy-secret")).rejects.toThrow();
    expect(await readdir(folder)).toEqual(["settings"]);
  });
});

it("writes beside a file that another run left", async () => {
  await withHome(async ({ home, file, install }) => {
    await writeFile(`${file}.quarry`, "of the user");
    await install();
    expect(await readFile(`${file}.quarry`, "utf8")).toBe("of the user");
    expect((await readdir(path.join(home, ".cursor"))).toSorted()).toEqual([
      "mcp.json",
      "mcp.json.quarry",
    ]);
  });
});

it("quarry mcp --help names all groups of tools", () => {
  const program = new Command();
  addAgentCommands({
    program,
    settings: () => ({}) as Config,
    choosesServer: (command) => command,
  });
  const mcp = program.commands.find((command) => command.name() === "mcp");
  const groups = [...TOOL_GROUPS].filter(
    ([name, tools]) => tools.length > 1 || tools[0]?.name !== name,
  );
  for (const command of [mcp, ...(mcp?.commands ?? [])])
    for (const [name] of groups)
      expect(command?.options.find(({ long }) => long === "--tools")?.description).toContain(name);
});
