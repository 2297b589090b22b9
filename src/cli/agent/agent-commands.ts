// Commands of the agent, of live pages, and for agents, with options and examples.
import { Option } from "commander";
import type { AgentCommandOptions } from "./agent.ts";
import type { InteractCommandOptions } from "../pages/interact.ts";
import type { McpInstallOptions } from "./mcp-install.ts";
import type { McpCommandOptions } from "./mcp.ts";
import type { ProgramParts } from "../jobs/job-commands.ts";
import { toInvocation } from "../terminal/hint.ts";
import { collect, parseWhole } from "../option-values.ts";

const EXAMPLES = `

Examples:
  quarry agent "all members of staff with e-mail and phone" --url https://www.example.edu --schema staff.json
  quarry agent "What is the upload limit?" --url https://docs.example.com --effort low

The data goes to standard output, the steps to standard error. Ctrl-C stops the run and prints what was found until then.
Exit codes: 0 data was found, 3 nothing was found, 4 a limit was reached, 1 failed, 130 interrupted.`;

export function addAgentCommands({ program, settings, choosesServer }: ProgramParts): void {
  choosesServer(program.command("agent <prompt>"))
    .description(
      "find data over many pages; with a language model where one is configured, else by rules",
    )
    .option("--url <url>", "where to start, may be repeated", collect)
    .option("--schema <file-or-json>", "JSON Schema of the answer")
    .option("--max-credits <number>", "maximum credits (2500)", parseWhole(0))
    .option("--strict", "visit only the given URLs")
    .option("--model <name>", "spark-1-mini (fast), spark-1-pro or spark-2 (smart)")
    .addOption(new Option("--effort <effort>", "how far to go").choices(["low", "medium", "high"]))
    .option("--json", "print the whole state of the run, sources included")
    .option("-o, --out <file>", "write to a file")
    .addHelpText("after", toInvocation(EXAMPLES))
    .action(async (prompt: string, options: AgentCommandOptions) => {
      const { runAgentCommand } = await import("./agent.ts");
      await runAgentCommand(settings(), prompt, options);
    });

  choosesServer(program.command("interact <url>"))
    .description("open a page in a browser, work it by a prompt or by code, and close it again")
    .option("--prompt <text>", "what to do, in plain language; needs a language model")
    .option("--code <text>", "JavaScript with a live Playwright page")
    .option("--code-file <file>", "the same from a file")
    .option("--timeout <seconds>", "maximum seconds, 1 to 300 (120)", parseWhole(1))
    .option("--json", "print the whole answer as JSON")
    .action(async (url: string, options: InteractCommandOptions) => {
      const { runInteractCommand } = await import("../pages/interact.ts");
      await runInteractCommand(settings(), url, options);
    });

  const mcp = program.command("mcp");
  choosesServer(mcp)
    .description("serve MCP clients over standard input and output (docs/mcp.md)")
    .option(
      "--tools <names>",
      "tools, or groups of them: default, read-only, monitor, extractors, all",
    )
    .action(async (options: McpCommandOptions) => {
      const { serveMcp } = await import("./mcp.ts");
      await serveMcp(settings(), options);
    });
  choosesServer(mcp.command("install <client>"))
    .description(
      "add the server to the settings of claude-code, claude-desktop, cursor, vscode, codex, zed or gemini",
    )
    .option(
      "--tools <names>",
      "tools, or groups of them: default, read-only, monitor, extractors, all",
    )
    .option("--yes", "write without asking")
    .option("--json", "print what was written as JSON")
    .action(async (client: string, options: McpInstallOptions) => {
      const { installMcp } = await import("./mcp-install.ts");
      await installMcp(settings(), client, options);
    });
}
