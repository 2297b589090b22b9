// Quarry as an MCP server. Its tools call the public API like a client, so keys, scopes, credits
// and limits apply.
import {
  McpServer,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  ResourceTemplate,
} from "@modelcontextprotocol/server";
import type { QuarryClient } from "../../client/client.ts";
import { ConfigError } from "../config.ts";
import { DATA_RULE, wrapPageText } from "../formats/model/page-as-data.ts";
import { VERSION } from "../version.ts";
import { BUDGET, describeFailure, fitText } from "./answer.ts";
import type { ToolContext, Tool } from "./define-tool.ts";
import { HANDLE_TEMPLATE, writeHandle } from "./handle.ts";
import { openPage } from "./open-page.ts";
import { requireSection, splitSections } from "../formats/markdown/sections.ts";
import { serveTasks } from "./serve-tasks.ts";
import { countTokens, takeTokens } from "../ranking/model-tokens.ts";
import { agentTool } from "./tools/agent.ts";
import { browseTool } from "./tools/browse.ts";
import { crawlTool, jobTool } from "./tools/crawl.ts";
import { dataTool } from "./tools/data.ts";
import { extractorTool } from "./tools/extractor.ts";
import { findTool } from "./tools/find.ts";
import { mapTool, searchTool } from "./tools/lists.ts";
import { monitorChangesTool, monitorTool } from "./tools/monitor.ts";
import { readTool } from "./tools/read.ts";

const DEFAULT_TOOLS: readonly Tool[] = [
  readTool,
  findTool,
  searchTool,
  mapTool,
  crawlTool,
  dataTool,
  browseTool,
  jobTool,
];
const MONITOR_TOOLS: readonly Tool[] = [monitorTool, monitorChangesTool];
const ALL_TOOLS: readonly Tool[] = [...DEFAULT_TOOLS, agentTool, ...MONITOR_TOOLS, extractorTool];

/** Names of tools and groups of tools. */
export const TOOL_GROUPS: ReadonlyMap<string, readonly Tool[]> = new Map([
  ["default", DEFAULT_TOOLS],
  ["read-only", DEFAULT_TOOLS.filter(({ isReadOnly }) => isReadOnly)],
  ["all", ALL_TOOLS],
  ...ALL_TOOLS.map((tool) => [tool.name, [tool]] as const),
  ["monitor", MONITOR_TOOLS],
  ["extractors", [extractorTool]],
]);

/** Parses a list of tools such as "default,agent". Throws ConfigError for an unknown name. */
export function selectTools(list: string | undefined): readonly Tool[] {
  if (list === undefined || list.trim() === "") return DEFAULT_TOOLS;
  const selected = list.split(",").flatMap((name) => {
    const tools = TOOL_GROUPS.get(name.trim());
    if (tools === undefined)
      throw new ConfigError(
        `There are no tools "${name.trim().slice(0, 50)}"; give some of ${[...TOOL_GROUPS.keys()].join(", ")}.`,
      );
    return tools;
  });
  return [...new Set(selected)];
}

const INSTRUCTIONS = [
  "Reads the web: pages, files, whole sites, data.",
  "Answers are short on purpose: a long page comes as an outline; ask for a section, or give read a question.",
  `Answers have at most ${BUDGET.default} tokens unless maxTokens says otherwise; continue by handle and offset.`,
  DATA_RULE,
].join(" ");

export function createMcpServer(client: QuarryClient, tools: readonly Tool[]): McpServer {
  const server = new McpServer(
    { name: "quarry", title: "Quarry", version: VERSION },
    { instructions: INSTRUCTIONS },
  );
  for (const tool of tools) tool.register(server, client);
  serveTasks(server, client);
  server.registerResource(
    "capture",
    // Pages are not listed: there are many, and they belong to the caller.
    new ResourceTemplate(`${HANDLE_TEMPLATE}{#section}`, { list: undefined }),
    {
      title: "A page that was read",
      description: `Markdown of a page, or of one section (#NUMBER), at most ${BUDGET.max} tokens.`,
      mimeType: "text/markdown",
    },
    async (uri, _variables, { mcpReq: { signal } }) => {
      try {
        return { contents: [await readCapture(uri.href, { client, signal })] };
      } catch (error) {
        const { code, text } = describeFailure(error);
        if (code === "NOT_FOUND" || code === "BAD_REQUEST")
          throw new ResourceNotFoundError(uri.href, text);
        throw new ProtocolError(ProtocolErrorCode.InternalError, text);
      }
    },
  );
  return server;
}

/** Returns a page that was read, or one section. Throws NOT_FOUND for an unknown section. */
async function readCapture(uri: string, calling: ToolContext) {
  const page = await openPage(uri, calling);
  const section =
    page.section === undefined
      ? undefined
      : requireSection(splitSections(page.markdown), page.section);
  const part =
    section === undefined ? page.markdown : page.markdown.slice(section.start, section.wholeEnd);
  const text = fitText(BUDGET.max, (textTokens) => {
    const { text: taken, next } = takeTokens(part, textTokens);
    const rest =
      next === undefined
        ? ""
        : `\n(${countTokens(part.slice(next))} tokens more: use the tool read with target "${writeHandle(page.scrapeId)}" and from: ${(section?.start ?? 0) + next}.)`;
    return `${wrapPageText(taken)}${rest}`;
  });
  return { uri, mimeType: "text/markdown", text };
}
