import { Command, CommanderError, Option } from "commander";
import { QuarryApiError } from "../../client/errors.ts";
import { ConfigError, loadConfig, type Config, type ConfigArguments } from "../config.ts";
import { QuarryError } from "../errors.ts";
import { VERSION } from "../version.ts";
import type { ServerChoice } from "./connect.ts";

const collect = (value: string, before: string[] = []): string[] => [...before, value];
const number = (value: string): number => Number(value);

/** Runs one command. What goes wrong is one line on standard error and exit code 1; never a stack. */
export async function runProgram(words: readonly string[]): Promise<void> {
  const program = buildProgram();
  try {
    await program.parseAsync(words);
  } catch (error) {
    if (error instanceof CommanderError) {
      process.exitCode = error.exitCode;
      return;
    }
    if (!isExpected(error)) throw error;
    process.stderr.write(`quarry: ${error.message}\n`);
    process.exitCode = 1;
  }
}

const isExpected = (error: unknown): error is Error =>
  error instanceof ConfigError || error instanceof QuarryError || error instanceof QuarryApiError;

function buildProgram(): Command {
  const program = new Command("quarry")
    .description("Turns web pages into clean Markdown and structured data.")
    .version(VERSION)
    .option("--data-dir <folder>", "data folder (QUARRY_DATA_DIR)")
    .exitOverride()
    .showHelpAfterError("quarry --help lists the commands.");
  const settings = (extra: ConfigArguments = {}): Config =>
    loadConfig({ dataDir: program.opts<{ dataDir?: string }>().dataDir, ...extra });

  program
    .command("serve")
    .description("start the server")
    .option("--host <address>", "address to listen on (QUARRY_HOST)")
    .option("--port <number>", "port to listen on (QUARRY_PORT)")
    .addOption(
      new Option("--role <role>", "part of the service to run (QUARRY_ROLE)").choices([
        "all",
        "api",
        "worker",
      ]),
    )
    .option("--no-auth", "do not ask for API keys; answers this machine only")
    .action(async (options: { host?: string; port?: string; role?: string; auth: boolean }) => {
      const { serve } = await import("./serve.ts");
      await serve(
        settings({
          host: options.host,
          port: options.port,
          role: options.role,
          auth: options.auth ? undefined : "false",
        }),
      );
    });

  const choosesServer = (command: Command): Command =>
    command
      .option(
        "--api-url <url>",
        "server to ask; without it the one running on the data folder, else none is needed",
      )
      .option("--api-key <key>", "key for that server");

  choosesServer(program.command("scrape <url>"))
    .description("get one page, with or without a running server")
    .option(
      "-f, --format <name>",
      "format to print, may be repeated or separated by commas (markdown)",
      collect,
    )
    .option("--whole-page", "keep navigation, footer and the like")
    .option("--include <selector>", "CSS selector to keep, may be repeated", collect)
    .option("--exclude <selector>", "CSS selector to remove, may be repeated", collect)
    .option("-H, --header <line>", 'request header "Name: value", may be repeated', collect)
    .option("--timeout <ms>", "milliseconds for the whole scrape, 1000 to 300000", number)
    .option(
      "--max-age <ms>",
      "age in milliseconds up to which a cached copy will do; 0 fetches",
      number,
    )
    .option("--proxy <tier>", "basic, enhanced or auto")
    .option("--json", "print the whole document as JSON")
    .option(
      "--explain",
      "print how the result came about: plan, engines, verdict, what was removed, timings",
    )
    .option("-o, --out <file>", "write to a file")
    .action(async (url: string, options: ServerChoice & Record<string, never>) => {
      const { scrapeCommand } = await import("./scrape.ts");
      await scrapeCommand(settings(), url, options);
    });

  const keys = program.command("keys").description("API keys of the server on this machine");
  keys
    .command("create <name>")
    .description("make a key and print it once")
    .option("--credits <number>", "credits the key may spend in all", number)
    .option("--requests-per-minute <number>", "requests it may send in a minute", number)
    .option("--concurrency <number>", "requests it may have in work at once", number)
    .option("--expires <days>", "days until it expires", number)
    .action(async (name: string, options: Record<string, number | undefined>) =>
      (await import("./keys.ts")).createKey(settings(), name, options),
    );
  keys
    .command("list")
    .description("list the keys")
    .action(async () => (await import("./keys.ts")).listKeys(settings()));
  keys
    .command("revoke <id>")
    .description("stop accepting a key")
    .action(async (id: string) => (await import("./keys.ts")).revokeKey(settings(), id));
  keys
    .command("rotate <id>")
    .description("give a key new characters; the old ones work for another day")
    .option("--grace <minutes>", "minutes for which the old characters go on working", number)
    .action(async (id: string, options: { grace?: number }) =>
      (await import("./keys.ts")).rotateKey(settings(), id, options.grace),
    );

  program
    .command("doctor")
    .description("check what this installation has and what is missing")
    .action(async () => (await import("./doctor.ts")).doctor(settings()));

  program
    .command("egress <host>")
    .description("say whether HOST or HOST:PORT may be reached, and why")
    .action(async (host: string) => (await import("./egress.ts")).explainEgress(settings(), host));
  return program;
}
