// Configuration files of MCP clients, and writing an entry into them.
import path from "node:path";
import { RequestError } from "../../errors.ts";
import { isObject } from "../../runtime/is-object.ts";

export type Launch = { readonly command: string; readonly args: readonly string[] };

type Place = {
  readonly platform: NodeJS.Platform;
  readonly home: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
};

type McpClient = {
  readonly title: string;
  readonly file: (place: Place) => string;
  /**
   * Returns the whole file with the server added. Throws BAD_REQUEST for a file that cannot be
   * changed safely.
   */
  readonly write: (before: string, launch: Launch) => string;
  /** Returns the entry for the server, to paste when the file cannot be changed. */
  readonly show: (launch: Launch) => string;
};

const NAME = "quarry";

/** Returns the folder of a program's settings. */
function findSettingsFolder({ platform, home, environment }: Place): string {
  if (platform === "darwin") return path.join(home, "Library", "Application Support");
  if (platform === "win32") return environment["APPDATA"] ?? path.join(home, "AppData", "Roaming");
  return environment["XDG_CONFIG_HOME"] ?? path.join(home, ".config");
}

/** A client with a JSON file that lists its servers below `key`. */
function defineJsonClient(
  title: string,
  key: string,
  file: McpClient["file"],
  more: Readonly<Record<string, unknown>> = {},
): McpClient {
  const buildEntry = (launch: Launch) => ({ [key]: { [NAME]: { ...more, ...launch } } });
  return {
    title,
    file,
    show: (launch) => JSON.stringify(buildEntry(launch), null, 2),
    write(before, launch) {
      const settings = parseSettings(before);
      const servers = settings[key] ?? {};
      if (typeof servers !== "object" || servers === null || Array.isArray(servers))
        throw new RequestError("BAD_REQUEST", `"${key}" in the file is not an object.`);
      const next = { ...settings, [key]: { ...servers, ...buildEntry(launch)[key] } };
      return `${JSON.stringify(next, null, 2)}\n`;
    },
  };
}

function parseSettings(text: string): Record<string, unknown> {
  if (text.trim() === "") return {};
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
  } catch {
    // Settings with comments are not edited.
  }
  throw new RequestError(
    "BAD_REQUEST",
    "The file is not plain JSON (it may have comments), so it was not changed.",
  );
}

const HEADER = `[mcp_servers.${NAME}]`;
const toToml = ({ command, args }: Launch): string =>
  `${HEADER}\ncommand = ${JSON.stringify(command)}\nargs = [${args.map((word) => JSON.stringify(word)).join(", ")}]\n`;

const codex: McpClient = {
  title: "Codex",
  file: ({ home }) => path.join(home, ".codex", "config.toml"),
  show: toToml,
  write(before, launch) {
    const lines = before.split("\n");
    const start = lines.findIndex((line) => line.trim() === HEADER);
    if (start === -1) {
      const gap = before === "" ? "" : before.endsWith("\n") ? "\n" : "\n\n";
      return `${before}${gap}${toToml(launch)}`;
    }
    const rest = lines.slice(start + 1).findIndex((line) => /^\s*\[/.test(line));
    const after = rest === -1 ? [] : lines.slice(start + 1 + rest);
    return [...lines.slice(0, start), ...toToml(launch).split("\n"), ...after].join("\n");
  },
};

export const MCP_CLIENTS: ReadonlyMap<string, McpClient> = new Map([
  [
    "claude-code",
    defineJsonClient("Claude Code", "mcpServers", ({ home }) => path.join(home, ".claude.json"), {
      type: "stdio",
    }),
  ],
  [
    "claude-desktop",
    defineJsonClient("Claude Desktop", "mcpServers", (place) =>
      path.join(findSettingsFolder(place), "Claude", "claude_desktop_config.json"),
    ),
  ],
  [
    "cursor",
    defineJsonClient("Cursor", "mcpServers", ({ home }) => path.join(home, ".cursor", "mcp.json")),
  ],
  [
    "vscode",
    defineJsonClient(
      "VS Code",
      "servers",
      (place) => path.join(findSettingsFolder(place), "Code", "User", "mcp.json"),
      { type: "stdio" },
    ),
  ],
  ["codex", codex],
  [
    "zed",
    defineJsonClient("Zed", "context_servers", ({ home, environment, platform }) =>
      platform === "win32"
        ? path.join(environment["APPDATA"] ?? home, "Zed", "settings.json")
        : path.join(
            environment["XDG_CONFIG_HOME"] ?? path.join(home, ".config"),
            "zed",
            "settings.json",
          ),
    ),
  ],
  [
    "gemini",
    defineJsonClient("Gemini CLI", "mcpServers", ({ home }) =>
      path.join(home, ".gemini", "settings.json"),
    ),
  ],
]);
