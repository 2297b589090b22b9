import { inspect } from "node:util";
import { Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { loadConfig, type Config, type ConfigArguments } from "../config.ts";
import { DEFAULT_SCOPES, SCOPES } from "../contract/scopes.ts";
import { VERSION } from "../version.ts";
import type { ServerChoice } from "./connect.ts";
import { describeFailure } from "./failure.ts";
import { guardTerminal } from "./guard-terminal.ts";
import type { HostileCommandOptions } from "./hostile.ts";
import { addAgentCommands } from "./agent-commands.ts";
import { addJobCommands } from "./job-commands.ts";
import type { AccountOptions, KeyOptions } from "./keys.ts";
import { collect, whole } from "./option-values.ts";

/** Far enough for anything a date can hold. */
const days = (value: string): number => {
  const number = whole(1)(value);
  if (number > 36_500) throw new InvalidArgumentError("It must be at most 36500 days.");
  return number;
};

type ServeOptions = {
  readonly host?: string;
  readonly port?: number;
  readonly role?: string;
  readonly auth: boolean;
  readonly stopWithParent?: boolean;
};

/** Runs one command. What goes wrong is one line on standard error and exit code 1; a stack only at log level debug. */
export async function runProgram(words: readonly string[]): Promise<void> {
  for (const stream of [process.stdout, process.stderr]) stream.on("error", ignoreClosedPipe);
  guardTerminal(process.stdout, process.stderr);
  let logLevel = "info";
  const program = buildProgram((config) => (logLevel = config.logLevel));
  try {
    await program.parseAsync(words);
  } catch (error) {
    if (error instanceof CommanderError) {
      process.exitCode = error.exitCode;
      return;
    }
    process.stderr.write(`quarry: ${describeFailure(error)}\n`);
    if ((logLevel === "debug" || logLevel === "trace") && error instanceof Error)
      process.stderr.write(`${inspect(error)}\n`);
    process.exitCode = 1;
  }
}

/** Whoever reads the output has enough of it, as `head` does: the rest is written to nobody. */
function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== "EPIPE") throw error;
}

function buildProgram(onSettings: (config: Config) => void): Command {
  const program = new Command("quarry")
    .description("Turns web pages into clean Markdown and structured data.")
    .version(VERSION)
    .option("--data-dir <folder>", "data folder (QUARRY_DATA_DIR)")
    // So that an option after a command is that command's, where one above it has an option of that name.
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({
      outputError: (text, write) => write(text.replace(/^error: /, "quarry: ")),
    })
    .showHelpAfterError("quarry --help lists the commands.");
  const settings = (extra: ConfigArguments = {}): Config => {
    const config = loadConfig({ dataDir: program.opts<{ dataDir?: string }>().dataDir, ...extra });
    onSettings(config);
    return config;
  };

  program
    .command("serve")
    .description("start the server")
    .option("--host <address>", "address to listen on (QUARRY_HOST)")
    .option("--port <number>", "port to listen on (QUARRY_PORT)", whole(0))
    .addOption(
      new Option("--role <role>", "part of the service to run (QUARRY_ROLE)").choices([
        "all",
        "api",
        "worker",
      ]),
    )
    .option("--no-auth", "do not ask for API keys; answers this machine only")
    .option("--stop-with-parent", "stop when the process that started the server is gone")
    .action(async (options: ServeOptions) => {
      const { serve } = await import("./serve.ts");
      await serve(
        settings({
          host: options.host,
          port: options.port?.toString(),
          role: options.role,
          auth: options.auth ? undefined : "false",
        }),
        options.stopWithParent,
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
    .option("--schema <file>", "JSON Schema of the data to extract (format json)")
    .option("--prompt <text>", "what to extract, in words (format json)")
    .option("--evidence", "with json, also where each value stands on the page")
    .option("--question <text>", "a question to the page")
    .option("--whole-page", "keep navigation, footer and the like")
    .option("--include <selector>", "CSS selector to keep, may be repeated", collect)
    .option("--exclude <selector>", "CSS selector to remove, may be repeated", collect)
    .option("-H, --header <line>", 'request header "Name: value", may be repeated', collect)
    .option("--timeout <ms>", "milliseconds for the whole scrape, 1000 to 300000", whole(0))
    .option(
      "--max-age <ms>",
      "age in milliseconds up to which a cached copy will do; 0 fetches",
      whole(0),
    )
    .option("--proxy <tier>", "basic, enhanced or auto")
    .option("--json", "print the whole document as JSON")
    .option(
      "--explain",
      "print how the result came about: plan, engines, verdict, what was removed, timings",
    )
    .option("--overlay <file>", "write the page with what was kept and removed in colour, as HTML")
    .option("-o, --out <file>", "write to a file")
    .action(async (url: string, options: ServerChoice & Record<string, never>) => {
      const { scrapeCommand } = await import("./scrape.ts");
      await scrapeCommand(settings(), url, options);
    });

  choosesServer(program.command("parse <file>"))
    .description("get a PDF, an office file or a picture of this machine, with or without a server")
    .option(
      "-f, --format <name>",
      "format to print, may be repeated or separated by commas (markdown)",
      collect,
    )
    .option("--mode <mode>", "of PDFs: fast, auto or ocr")
    .option("--max-pages <number>", "pages of a PDF that are read at most", whole(1))
    .option("--page-markers", "mark where pages of a PDF begin")
    .option("--timeout <ms>", "milliseconds for the whole, 1000 to 300000", whole(0))
    .option("--json", "print the whole document as JSON")
    .option("--explain", "print how the result came about")
    .option("--overlay <file>", "write the file as a page with what was kept in colour, as HTML")
    .option("-o, --out <file>", "write to a file")
    .action(async (file: string, options: ServerChoice & Record<string, never>) => {
      const { parseCommand } = await import("./parse.ts");
      await parseCommand(settings(), file, options);
    });

  addJobCommands({ program, settings, choosesServer });
  addAgentCommands({ program, settings, choosesServer });

  const accounts = program
    .command("accounts")
    .description("accounts of the server on this machine, who own keys and what is made with them");
  takeLimits(accounts.command("create <name>"), "its keys")
    .description("make an account and print its id")
    .option("--index-pages <number>", "pages it may have in the search index", whole(0))
    .action(async (name: string, options: AccountOptions) =>
      (await import("./keys.ts")).createAccount(settings(), name, options),
    );
  accounts
    .command("list")
    .description("list the accounts")
    .action(async () => (await import("./keys.ts")).listAccounts(settings()));
  accounts
    .command("disable <account>")
    .description("refuse the keys of an account, by name or id, and stop its jobs")
    .action(async (account: string) =>
      (await import("./keys.ts")).setAccountDisabled(settings(), account, true),
    );
  accounts
    .command("enable <account>")
    .description("accept the keys of a disabled account again")
    .action(async (account: string) =>
      (await import("./keys.ts")).setAccountDisabled(settings(), account, false),
    );

  const keys = program.command("keys").description("API keys of the server on this machine");
  takeLimits(keys.command("create <name>"), "the key")
    .description("make a key and print it once")
    .option("--account <account>", "name or id of its account (the first account)")
    .option(
      "--scope <name>",
      `what it may do, may be repeated: ${SCOPES.join(", ")} (${DEFAULT_SCOPES.join(", ")})`,
      collect,
    )
    .option(
      "--allow-host <host>",
      "host it may fetch, such as example.com or *.example.com, may be repeated (any)",
      collect,
    )
    .option("--expires <days>", "days until it expires", days)
    .action(async (name: string, options: KeyOptions) =>
      (await import("./keys.ts")).createKey(settings(), name, options),
    );
  keys
    .command("list")
    .description("list the keys of an account")
    .option("--account <account>", "name or id of the account (the first account)")
    .action(async (options: { account?: string }) =>
      (await import("./keys.ts")).listKeys(settings(), options.account),
    );
  keys
    .command("revoke <id>")
    .description("stop accepting a key")
    .action(async (id: string) => (await import("./keys.ts")).revokeKey(settings(), id));
  keys
    .command("rotate <id>")
    .description("give a key new characters; those it had work for another day, older ones no more")
    .option("--grace <minutes>", "minutes for which the old characters go on working", whole(0))
    .action(async (id: string, options: { grace?: number }) =>
      (await import("./keys.ts")).rotateKey(settings(), id, options.grace),
    );

  const lists = program.command("lists").description("block lists for pages in a browser");
  lists
    .command("update")
    .description(
      "fetch and compile the lists named in QUARRY_AD_LISTS; a running server takes them up",
    )
    .action(async () => (await import("./lists.ts")).updateLists(settings()));
  lists
    .command("show")
    .description("say which lists are in use")
    .action(async () => (await import("./lists.ts")).showLists(settings()));

  program
    .command("doctor")
    .description("check what this installation has and what is missing")
    .action(async () => (await import("./doctor.ts")).doctor(settings()));

  program
    .command("egress <host>")
    .description("say whether HOST or HOST:PORT may be reached, and why")
    .action(async (host: string) => (await import("./egress.ts")).explainEgress(settings(), host));
  program
    .command("webhooks")
    .description("webhooks of the server on this machine")
    .command("secret")
    .description("print what signs the deliveries of an account")
    .option("--account <id>", "id or name of the account; without it the first one", "default")
    .option("--rotate", "make a new secret first; later deliveries are signed with it")
    .action(async (options: { account: string; rotate?: boolean }) =>
      (await import("./webhooks.ts")).printWebhookSecret(settings(), options),
    );

  program
    .command("hostile")
    .description("run hostile sites against a server of this API family and say what held")
    .option("--target <url>", "the server to test")
    .option("--key <key>", "key for it")
    .option("--only <name>", "case to run, or how their names begin; may be repeated", collect)
    .option(
      "--address <ip>",
      "address of the hostile sites; the only one the target may be allowed",
      "127.0.0.2",
    )
    .option(
      "--pid <number>",
      "process of the target on this machine, to watch its memory",
      whole(1),
    )
    .option("--report <file>", "write the results as JSON")
    .option("--small", "a part of the full size")
    .option("--list", "list the cases")
    .action(async (options: HostileCommandOptions) =>
      (await import("./hostile.ts")).hostileCommand(options),
    );
  for (const command of program.commands) {
    takeDataFolder(command, program);
    sendToHelp(command, `quarry ${command.name()}`);
  }
  return program;
}

/** The data folder may be named after any command as well as before it. */
function takeDataFolder(command: Command, program: Command): void {
  command.addOption(new Option("--data-dir <folder>").hideHelp());
  command.on("option:data-dir", (folder: string) => program.setOptionValue("dataDir", folder));
  for (const below of command.commands) takeDataFolder(below, program);
}

/** Who got a command wrong is sent to the help of that command. */
function sendToHelp(command: Command, words: string): void {
  command.showHelpAfterError(`${words} --help shows how it is used.`);
  for (const inner of command.commands) sendToHelp(inner, `${words} ${inner.name()}`);
}

function takeLimits(command: Command, owner: string): Command {
  return command
    .option("--credits <number>", `credits ${owner} may spend in all`, whole(0))
    .option(
      "--requests-per-minute <number>",
      `requests ${owner} may send in a minute; of reads, 50 times as many`,
      whole(1),
    )
    .option("--concurrency <number>", `requests ${owner} may have in progress at once`, whole(1));
}
