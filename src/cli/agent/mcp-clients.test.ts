import path from "node:path";
import { describe, expect, it } from "vitest";
import { MCP_CLIENTS } from "./mcp-clients.ts";

const LAUNCH = { command: "/bin/node", args: ["/app/quarry.mjs", "mcp"] };
const clientOf = (name: string) => {
  const client = MCP_CLIENTS.get(name);
  if (client === undefined) throw new Error(`There is no client ${name}.`);
  return client;
};

describe("MCP client settings", () => {
  it.each([
    ["claude-code", "linux", ".claude.json"],
    ["claude-desktop", "linux", ".config/Claude/claude_desktop_config.json"],
    ["claude-desktop", "darwin", "Library/Application Support/Claude/claude_desktop_config.json"],
    ["cursor", "linux", ".cursor/mcp.json"],
    ["vscode", "linux", ".config/Code/User/mcp.json"],
    ["codex", "linux", ".codex/config.toml"],
    ["zed", "linux", ".config/zed/settings.json"],
    ["gemini", "linux", ".gemini/settings.json"],
  ] as const)("locates the settings of %s on %s at %s", (name, platform, file) => {
    const place = { platform, home: "/home/ada", environment: {} };
    expect(clientOf(name).file(place)).toBe(path.join("/home/ada", file));
  });

  it("keeps the contents of a JSON settings file and replaces the server's own entry", () => {
    const before = JSON.stringify({
      theme: "dark",
      mcpServers: { other: { command: "x" }, quarry: { command: "old" } },
    });
    expect(JSON.parse(clientOf("cursor").write(before, LAUNCH))).toEqual({
      theme: "dark",
      mcpServers: { other: { command: "x" }, quarry: LAUNCH },
    });
    expect(JSON.parse(clientOf("vscode").write("", LAUNCH))).toEqual({
      servers: { quarry: { type: "stdio", ...LAUNCH } },
    });
  });

  it.each(["{ // comment\n}", "[]", '{"mcpServers": []}', "{"])(
    "does not change the settings file %j",
    (before) => {
      expect(() => clientOf("cursor").write(before, LAUNCH)).toThrow(
        /not plain JSON|not an object/,
      );
    },
  );

  it("keeps the other tables of a TOML settings file and replaces the server's own one", () => {
    const before =
      'model = "m"\n\n[mcp_servers.quarry]\ncommand = "old"\nargs = []\n\n[mcp_servers.other]\ncommand = "x"\n';
    const after = clientOf("codex").write(before, LAUNCH);
    expect(after).toBe(
      'model = "m"\n\n[mcp_servers.quarry]\ncommand = "/bin/node"\nargs = ["/app/quarry.mjs", "mcp"]\n\n[mcp_servers.other]\ncommand = "x"\n',
    );
    expect(clientOf("codex").write(after, LAUNCH)).toBe(after);
    expect(clientOf("codex").write('model = "m"', LAUNCH)).toMatch(
      /^model = "m"\n\n\[mcp_servers\.quarry\]\n/,
    );
  });
});
