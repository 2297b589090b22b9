// The MCP server over standard input and output, for clients that start it themselves.
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import type { Config } from "../../config.ts";
import { createMcpServer, selectTools } from "../../mcp/create-mcp-server.ts";
import { connectToJobs, type ServerChoice } from "../connect.ts";

export type McpCommandOptions = ServerChoice & { readonly tools?: string };

/**
 * Serves until standard input ends. Standard output belongs to the protocol; everything else goes
 * to standard error.
 */
export async function serveMcp(config: Config, options: McpCommandOptions): Promise<void> {
  const tools = selectTools(options.tools);
  const connection = await connectToJobs(config, options);
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  const handle = serveStdio(() => createMcpServer(connection.client, tools), {
    onerror: (error) => process.stderr.write(`quarry: ${error.message}\n`),
  });
  process.stdin.once("end", resolve);
  process.stdin.once("close", resolve);
  process.once("SIGINT", resolve);
  process.once("SIGTERM", resolve);
  process.stderr.write(
    connection.isOwn
      ? "The service runs in this process. MCP on standard input and output.\n"
      : "MCP on standard input and output, with the running server.\n",
  );
  await ended;
  await handle.close();
  await connection[Symbol.asyncDispose]();
}
