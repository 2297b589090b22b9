// Settings for clients of the Model Context Protocol; docs/mcp.md lists more clients.
export type McpClient = {
  readonly id: string;
  readonly label: string;
  readonly where: string;
  readonly write: (origin: string) => string;
};

const HEADERS = { Authorization: "Bearer ${QUARRY_API_KEY}" };

const asJson = (value: object): string => JSON.stringify(value, null, 2);

export const MCP_CLIENTS: readonly McpClient[] = [
  {
    id: "claude-code",
    label: "Claude Code",
    where: "Run in a terminal.",
    write: (origin) =>
      `claude mcp add --transport http quarry ${origin}/mcp \\\n  --header "Authorization: Bearer $QUARRY_API_KEY"`,
  },
  {
    id: "cursor",
    label: "Cursor",
    where: "In ~/.cursor/mcp.json.",
    write: (origin) =>
      asJson({
        mcpServers: {
          quarry: {
            url: `${origin}/mcp`,
            headers: { Authorization: "Bearer ${env:QUARRY_API_KEY}" },
          },
        },
      }),
  },
  {
    id: "vscode",
    label: "VS Code",
    where: "In .vscode/mcp.json of a project.",
    write: (origin) =>
      asJson({
        servers: {
          quarry: {
            type: "http",
            url: `${origin}/mcp`,
            headers: { Authorization: "Bearer ${env:QUARRY_API_KEY}" },
          },
        },
      }),
  },
  {
    id: "gemini",
    label: "Gemini CLI",
    where: "In ~/.gemini/settings.json.",
    write: (origin) =>
      asJson({ mcpServers: { quarry: { httpUrl: `${origin}/mcp`, headers: HEADERS } } }),
  },
  {
    id: "stdio",
    label: "On this machine",
    where:
      "Uses the server that runs on the data folder, without a key. CLIENT is claude-code, claude-desktop, cursor, vscode, codex, zed or gemini.",
    write: () => "npx quarry mcp install CLIENT",
  },
];
