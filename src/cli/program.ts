import { inspect } from "node:util";
import { Command, CommanderError, Option } from "commander";
import { loadConfig, type Config, type ConfigArguments } from "../config.ts";
import { VERSION } from "../version.ts";
import type { ServerChoice } from "./connect.ts";
import { toInvocation, findInvocation } from "./terminal/hint.ts";
import { toExitCode } from "./terminal/exit-codes.ts";
import { addServerCommands } from "./server/server-commands.ts";
import { addReferenceCommands } from "./reference-commands.ts";
import { reportFailure, toFailure } from "./terminal/report-failure.ts";
import { guardTerminal } from "./terminal/guard-terminal.ts";
import { addDataCommands } from "./server/data-commands.ts";
import { addAgentCommands } from "./agent/agent-commands.ts";
import { addExtractorCommands } from "./agent/extractor-commands.ts";
import { addMonitorCommands } from "./monitors/monitor-commands.ts";
import { addJobCommands } from "./jobs/job-commands.ts";
import { addFetchOptions, addMarkdownOptions, collect, parseWhole } from "./option-values.ts";

const SCRAPE_EXAMPLES = `
Examples:
  quarry scrape https://example.com/ > page.md
  quarry scrape https://example.com/ -f screenshot -o page.png
  quarry scrape https://example.com/ -f markdown,links,screenshot -o page/
  quarry scrape https://example.com/item --schema item.json > item-data.json

Exit codes: 0 content, 2 wrong call, 3 the page failed or is blocked, 4 a limit was reached (quarry help exit-codes).`;

type ServeOptions = {
  readonly host?: string;
  readonly port?: number;
  readonly role?: string;
  readonly auth: boolean;
  readonly console: boolean;
  readonly stopWithParent?: boolean;
  readonly json?: boolean;
};

/**
 * Runs one command. A failure is one line on standard error (one line of JSON with --json), plus an
 * exit code of exit-codes.ts. A stack is printed only at log level debug.
 */
export async function runProgram(words: readonly string[]): Promise<void> {
  for (const stream of [process.stdout, process.stderr]) stream.on("error", ignoreClosedPipe);
  guardTerminal(process.stdout, process.stderr);
  const asJson = words.includes("--json");
  let logLevel = "info";
  const program = buildProgram((config) => (logLevel = config.logLevel), asJson);
  try {
    await program.parseAsync(words);
  } catch (error) {
    if (error instanceof CommanderError) {
      if (asJson && error.exitCode !== 0) reportFailure(toFailure(error), asJson);
      // In the other case commander has printed its message.
      else process.exitCode = toExitCode(error);
      return;
    }
    reportFailure(toFailure(error), asJson);
    if ((logLevel === "debug" || logLevel === "trace") && error instanceof Error)
      process.stderr.write(`${inspect(error)}\n`);
  }
}

/** Ignores output after the reader has closed the pipe, as `head` does. */
function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== "EPIPE") throw error;
}

export function buildProgram(onSettings: (config: Config) => void, asJson = false): Command {
  const program = new Command("quarry")
    .description("Turns web pages into clean Markdown and structured data.")
    .version(VERSION)
    .option("--data-dir <folder>", "data folder (QUARRY_DATA_DIR)")
    // Assigns an option after a command to that command, even if a parent has the same option.
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({
      outputError: (text, write) => asJson || write(text.replace(/^error: /, "quarry: ")),
      writeErr: (text) => asJson || process.stderr.write(text),
    })
    .showHelpAfterError(`${findInvocation()} --help lists the commands.`);
  const readSettings = (extra: ConfigArguments = {}): Config => {
    const config = loadConfig({ dataDir: program.opts<{ dataDir?: string }>().dataDir, ...extra });
    onSettings(config);
    return config;
  };

  program
    .command("serve")
    .description("start the server")
    .option("--host <address>", "address to listen on (QUARRY_HOST)")
    .option("--port <number>", "port to listen on (QUARRY_PORT)", parseWhole(0))
    .addOption(
      new Option("--role <role>", "part of the service to run (QUARRY_ROLE)").choices([
        "all",
        "api",
        "worker",
      ]),
    )
    .option("--no-auth", "do not require API keys; answers this machine only")
    .option("--no-console", "do not serve the console (QUARRY_CONSOLE)")
    .option("--json", "print startup events as JSON, one per line")
    .option("--stop-with-parent", "stop when the parent process ends")
    .action(async (options: ServeOptions) => {
      const { serve } = await import("./server/serve.ts");
      await serve(
        readSettings({
          host: options.host,
          port: options.port?.toString(),
          role: options.role,
          auth: options.auth ? undefined : "false",
          console: options.console ? undefined : "false",
        }),
        { stopsWithParent: options.stopWithParent ?? false, asJson: options.json ?? false },
      );
    });

  const addServerOptions = (command: Command): Command =>
    command
      .option(
        "--api-url <url>",
        "server to use; default: the one running on the data folder, or none",
      )
      .option("--api-key <key>", "key for that server");

  const scrape = addMarkdownOptions(addServerOptions(program.command("scrape <url>")))
    .description("get one page, with or without a running server")
    .option(
      "-f, --format <name>",
      "format to print, may be repeated or separated by commas (markdown)",
      collect,
    )
    .option("--schema <file-or-json>", "JSON Schema of the data to extract; prints only the data")
    .option("--prompt <text>", "what to extract, in plain language (format json)")
    .option("--extractor <id>", "stored extractor that gives the data (quarry extractor)")
    .option("--evidence", "with json, also print the place of each value on the page")
    .option("--question <text>", "a question about the page")
    .option("--whole-page", "keep navigation, footer and the like")
    .option("--include <selector>", "CSS selector to keep, may be repeated", collect)
    .option("--exclude <selector>", "CSS selector to remove, may be repeated", collect)
    .option("-H, --header <line>", 'request header "Name: value", may be repeated', collect)
    .option(
      "--timeout <ms>",
      "timeout of the whole scrape in milliseconds, 1000 to 300000",
      parseWhole(0),
    );
  addFetchOptions(scrape)
    .option("--fail", "print nothing and exit with 3 when the page answers with status 4xx or 5xx")
    .option("--json", "print the whole document as JSON")
    .option(
      "--explain",
      "print how the result was made: plan, engines, verdict, what was removed, timings",
    )
    .option("--overlay <file>", "write the page with kept and removed parts highlighted, as HTML")
    .option(
      "-o, --out <target>",
      "write to a file (screenshots and audio as such), several formats to a folder",
    )
    .addHelpText("after", toInvocation(SCRAPE_EXAMPLES))
    .action(async (url: string, options: ServerChoice & Record<string, never>) => {
      const { runScrapeCommand } = await import("./pages/scrape.ts");
      await runScrapeCommand(readSettings(), url, options);
    });

  addServerOptions(program.command("parse <file>"))
    .description("get a local PDF, office file or picture, with or without a server")
    .option(
      "-f, --format <name>",
      "format to print, may be repeated or separated by commas (markdown)",
      collect,
    )
    .option("--mode <mode>", "mode for PDFs: fast, auto or ocr")
    .option("--max-pages <number>", "maximum pages of a PDF", parseWhole(1))
    .option("--page-markers", "mark where pages of a PDF begin")
    .option("--timeout <ms>", "timeout in milliseconds, 1000 to 300000", parseWhole(0))
    .option("--json", "print the whole document as JSON")
    .option("--explain", "print how the result was made")
    .option("--overlay <file>", "write the file as a page with kept parts highlighted, as HTML")
    .option("-o, --out <target>", "write to a file, several formats to a folder")
    .action(async (file: string, options: ServerChoice & Record<string, never>) => {
      const { parseCommand } = await import("./pages/parse.ts");
      await parseCommand(readSettings(), file, options);
    });

  addJobCommands({ program, settings: readSettings, choosesServer: addServerOptions });
  addAgentCommands({ program, settings: readSettings, choosesServer: addServerOptions });
  addExtractorCommands({ program, settings: readSettings, choosesServer: addServerOptions });
  addMonitorCommands({ program, settings: readSettings, choosesServer: addServerOptions });

  addServerCommands({ program, settings: readSettings });
  addDataCommands({ program, settings: readSettings });
  addReferenceCommands(program);
  for (const command of program.commands) {
    takeDataFolder(command, program);
    sendToHelp(command, `${findInvocation()} ${command.name()}`);
  }
  return program;
}

/** The data folder option is accepted after any command as well. */
function takeDataFolder(command: Command, program: Command): void {
  command.addOption(new Option("--data-dir <folder>").hideHelp());
  command.on("option:data-dir", (folder: string) => program.setOptionValue("dataDir", folder));
  for (const below of command.commands) takeDataFolder(below, program);
}

/** Refers users with an invalid command to its help. */
function sendToHelp(command: Command, words: string): void {
  command.showHelpAfterError(`${words} --help shows how it is used.`);
  for (const inner of command.commands) sendToHelp(inner, `${words} ${inner.name()}`);
}
