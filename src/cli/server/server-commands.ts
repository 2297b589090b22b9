// Commands for server operators: keys, block lists, diagnosis.
import { type Command, InvalidArgumentError } from "commander";
import type { Config } from "../../config.ts";
import { DEFAULT_SCOPES, SCOPES } from "../../contract/account/scopes.ts";
import type { HostileCommandOptions } from "./hostile.ts";
import type { VersionOptions } from "./version.ts";
import type { AccountLimitOptions, AccountOptions, KeyOptions, LimitOptions } from "./keys.ts";
import { collect, parseWhole, parseWholeOrNone } from "../option-values.ts";

type Parts = { readonly program: Command; readonly settings: () => Config };
type Options = { readonly json?: boolean };

/** Larger values exceed the range of dates. */
const MAX_DAYS = 36_500;

const parseDays = (value: string): number => {
  const number = parseWhole(1)(value);
  if (number > MAX_DAYS) throw new InvalidArgumentError(`It must be at most ${MAX_DAYS} days.`);
  return number;
};

type NamedOptions = Options & { readonly account?: string };

const ACCOUNT_OPTION = [
  "--account <account>",
  "name or id of the account (the first account)",
] as const;
const JSON_OPTION = ["--json", "print the result as JSON"] as const;

export function addServerCommands(parts: Parts): void {
  addAccounts(parts);
  addKeys(parts);
  addLists(parts);
  addDiagnosis(parts);
  addWebhooks(parts);
  addConsole(parts);
  addHostile(parts);
}

function addAccounts({ program, settings }: Parts): void {
  const load = async () => await import("./keys.ts");
  const accounts = program
    .command("accounts")
    .description("accounts of the local server, which own keys and jobs");
  takeLimits(accounts.command("create <name>"), "its keys")
    .description("create an account and print its id")
    .option("--index-pages <number>", "pages it may have in the search index", parseWhole(0))
    .option(...JSON_OPTION)
    .action(async (name: string, options: AccountOptions) =>
      (await load()).createAccount(settings(), name, options),
    );
  addLimitOptions(accounts.command("set <account>"), "its keys")
    .description("change limits of an account, by name or id; a limit that is not named stays")
    .option("--index-pages <number>", "pages it may have in the search index", parseWholeOrNone(0))
    .option(...JSON_OPTION)
    .action(async (account: string, options: AccountLimitOptions) =>
      (await load()).setAccountLimits(settings(), account, options),
    );
  accounts
    .command("list")
    .description("list the accounts")
    .option(...JSON_OPTION)
    .action(async (options: Options) => (await load()).listAccounts(settings(), options));
  accounts
    .command("disable <account>")
    .description("reject the keys of an account, by name or id, and stop its jobs")
    .option(...JSON_OPTION)
    .action(async (account: string, options: Options) =>
      (await load()).setAccountDisabled(settings(), account, true, options),
    );
  accounts
    .command("enable <account>")
    .description("accept the keys of a disabled account again")
    .option(...JSON_OPTION)
    .action(async (account: string, options: Options) =>
      (await load()).setAccountDisabled(settings(), account, false, options),
    );
}

function addKeys({ program, settings }: Parts): void {
  const load = async () => await import("./keys.ts");
  const keys = program.command("keys").description("API keys of the local server");
  takeLimits(keys.command("create <name>"), "the key")
    .description("create a key and print it once")
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
    .option("--expires <days>", "days until it expires", parseDays)
    .option(...JSON_OPTION)
    .action(async (name: string, options: KeyOptions) =>
      (await load()).createKey(settings(), name, options),
    );
  addLimitOptions(keys.command("set <name-or-id>"), "the key")
    .description("change limits of a key; a limit that is not named stays")
    .option(...ACCOUNT_OPTION)
    .option(...JSON_OPTION)
    .action(async (key: string, options: NamedOptions & LimitOptions) =>
      (await load()).setKeyLimits(settings(), key, options),
    );
  keys
    .command("list")
    .description("list the keys of an account")
    .option(...ACCOUNT_OPTION)
    .option(...JSON_OPTION)
    .action(async (options: NamedOptions) => (await load()).listKeys(settings(), options));
  keys
    .command("revoke <name-or-id>")
    .description("stop accepting a key")
    .option(...ACCOUNT_OPTION)
    .option(...JSON_OPTION)
    .action(async (key: string, options: NamedOptions) =>
      (await load()).revokeKey(settings(), key, options),
    );
  keys
    .command("rotate <name-or-id>")
    .description(
      "give a key a new secret; the previous one works for another day, older ones do not",
    )
    .option(
      "--grace <minutes>",
      "minutes for which the previous secret keeps working",
      parseWhole(0),
    )
    .option(...ACCOUNT_OPTION)
    .option(...JSON_OPTION)
    .action(async (key: string, options: NamedOptions & { grace?: number }) =>
      (await load()).rotateKey(settings(), key, options),
    );
}

function addLists({ program, settings }: Parts): void {
  const lists = program.command("lists").description("block lists for pages in a browser");
  lists
    .command("update")
    .description(
      "fetch and compile the lists named in QUARRY_AD_LISTS; a running server loads them",
    )
    .option(...JSON_OPTION)
    .action(async (options: Options) =>
      (await import("./lists.ts")).updateLists(settings(), options),
    );
  lists
    .command("show")
    .description("say which lists are in use")
    .option(...JSON_OPTION)
    .action(async (options: Options) =>
      (await import("./lists.ts")).showLists(settings(), options),
    );
}

function addDiagnosis({ program, settings }: Parts): void {
  program
    .command("doctor")
    .description("check what the running server, or this installation, has and what is missing")
    .option(...JSON_OPTION)
    .action(async (options: Options) =>
      (await import("./doctor.ts")).runDoctor(settings(), options),
    );
  program
    .command("version")
    .description("print the version")
    .option("--verbose", "with revision, Node, platform and the main libraries")
    .option(...JSON_OPTION)
    .action(async (options: VersionOptions) =>
      (await import("./version.ts")).printVersion(options),
    );
  program
    .command("egress <host>")
    .description("report whether HOST or HOST:PORT may be reached, and why")
    .option(...JSON_OPTION)
    .action(async (host: string, options: Options) =>
      (await import("./egress.ts")).explainEgress(settings(), host, options),
    );
}

function addLimits(command: Command, owner: string, parse: typeof parseWholeOrNone): Command {
  return command
    .option("--credits <number>", `credits ${owner} may spend in total`, parse(0))
    .option(
      "--requests-per-minute <number>",
      `requests ${owner} may send per minute; reads may be 50 times as many`,
      parse(1),
    )
    .option("--concurrency <number>", `requests ${owner} may have in progress at once`, parse(1));
}

const takeLimits = (command: Command, owner: string): Command =>
  addLimits(command, owner, parseWhole);

const addLimitOptions = (command: Command, owner: string): Command =>
  addLimits(command, owner, parseWholeOrNone).addHelpText(
    "after",
    '\n"none" removes a limit. Credits already spent count towards a new budget.',
  );

function addWebhooks({ program, settings }: Parts): void {
  program
    .command("webhooks")
    .description("webhooks of the local server")
    .command("secret")
    .description("print the secret that signs the deliveries of an account")
    .option("--account <id>", "id or name of the account; without it the first one", "default")
    .option("--rotate", "create a new secret first; it signs later deliveries")
    .option(...JSON_OPTION)
    .action(async (options: { account: string; rotate?: boolean; json?: boolean }) =>
      (await import("./webhooks.ts")).printWebhookSecret(settings(), options),
    );
}

function addConsole({ program, settings }: Parts): void {
  program
    .command("console")
    .description("print a link that signs in to the console of the server on this machine, once")
    .option(...JSON_OPTION)
    .action(async (options: Options) =>
      (await import("./console-link.ts")).printConsoleLink(settings(), options),
    );
}

function addHostile({ program }: Parts): void {
  program
    .command("hostile")
    .description(
      "run hostile sites against a server of this API family and report which cases passed",
    )
    .option("--target <url>", "the server to test")
    .option("--key <key>", "key for it")
    .option("--only <name>", "case to run, or a prefix of its name; may be repeated", collect)
    .option(
      "--address <ip>",
      "address of the hostile sites; the target may allow only this one",
      "127.0.0.2",
    )
    .option(
      "--pid <number>",
      "process id of the target on this machine, to watch its memory",
      parseWhole(1),
    )
    .option("--report <file>", "write the results as JSON")
    .option("--small", "a fraction of the full size")
    .option("--list", "list the cases")
    .option("--json", "print the results as JSON")
    .action(async (options: HostileCommandOptions) =>
      (await import("./hostile.ts")).runHostileCommand(options),
    );
}
