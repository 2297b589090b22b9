// Commands on a server's whole data.
import type { Command } from "commander";
import type { Config } from "../../config.ts";
import type { ExportOptions, MigrateOptions, MoveOptions, SecretOptions } from "./data.ts";

type Parts = { readonly program: Command; readonly settings: () => Config };

const JSON_OPTION = ["--json", "print the result as JSON"] as const;
const load = async () => await import("./data.ts");

export function addDataCommands({ program, settings }: Parts): void {
  program
    .command("backup <file>")
    .description("write all data to a file; a running server works on meanwhile")
    .option(
      "--passphrase-file <file>",
      "encrypt the key of saved profiles and webhook secrets with this passphrase and include it",
    )
    .option(...JSON_OPTION)
    .action(async (file: string, options: SecretOptions) =>
      (await load()).backup(settings(), file, options),
    );
  program
    .command("restore <file>")
    .description("restore a backup into an empty data folder or database")
    .option("--passphrase-file <file>", "passphrase of the backup; restores its key too")
    .option(...JSON_OPTION)
    .action(async (file: string, options: SecretOptions) =>
      (await load()).restore(settings(), file, options),
    );
  program
    .command("move")
    .description("copy the embedded database to PostgreSQL and compare the counts")
    .requiredOption("--to <url>", "an empty PostgreSQL database, postgresql://…")
    .option("--blobs <place>", "also copy the blobs to this place, such as s3://BUCKET")
    .option(...JSON_OPTION)
    .action(async (options: MoveOptions) => (await load()).move(settings(), options));
  program
    .command("export <file>")
    .description("write the rows and files of one account to a tar file, without secrets")
    .requiredOption("--account <account>", "name or id of the account")
    .option(...JSON_OPTION)
    .action(async (file: string, options: ExportOptions) =>
      (await load()).exportAccount(settings(), file, options),
    );
  program
    .command("gc")
    .description("remove expired data and unused blobs now, and give disk space back")
    .option(...JSON_OPTION)
    .action(async (options: { json?: boolean }) =>
      (await load()).collectGarbage(settings(), options),
    );
  program
    .command("migrate")
    .description("update the database to this version; a server does so when it starts")
    .option("--check", "only list pending migrations; exit code 1 if there are any")
    .option(...JSON_OPTION)
    .action(async (options: MigrateOptions) => (await load()).migrateDatabase(settings(), options));
}
