import type { MapParameters } from "../../../client/client.ts";
import type { Config } from "../../config.ts";
import { connectToJobs, type ServerChoice } from "../connect.ts";
import { createBudgetFault, describeLeft, fitTexts } from "./fit-budget.ts";
import { toPlainLine } from "../terminal/terminal-text.ts";
import { withSpinner } from "../terminal/spinner.ts";

export type MapCommandOptions = ServerChoice & {
  readonly search?: string;
  readonly limit?: number;
  readonly sitemap?: string;
  readonly subdomains: boolean;
  readonly timeout?: number;
  readonly budget?: number;
  readonly skip?: number;
  readonly json?: boolean;
};

/** `quarry map URL`: prints the URLs of a site, one per line. */
export async function runMapCommand(
  config: Config,
  url: string,
  options: MapCommandOptions,
): Promise<void> {
  if (options.budget !== undefined && options.json === true) throw createBudgetFault();
  await using connection = await connectToJobs(config, options);
  const parameters: Record<string, unknown> = {
    search: options.search,
    limit: options.limit,
    sitemap: options.sitemap,
    timeout: options.timeout,
    includeSubdomains: options.subdomains ? undefined : false,
    integration: "cli",
  };
  const { links, warning } = await withSpinner(process.stderr, `Mapping ${url}`, () =>
    connection.client.map(url, parameters as MapParameters),
  );
  const skip = options.skip ?? 0;
  const rest = links.slice(skip);
  if (options.json === true) process.stdout.write(`${JSON.stringify(rest, null, 2)}\n`);
  else {
    const fitted = await fitTexts(
      rest.map((link) => `${link.url}\n`),
      options.budget,
    );
    process.stdout.write(fitted.texts.join(""));
    if (fitted.left > 0)
      process.stderr.write(
        describeLeft(
          fitted,
          "URLs",
          options.budget ?? 0,
          `--skip ${skip + fitted.texts.length} continues, --search narrows.`,
        ),
      );
  }
  if (warning !== undefined) process.stderr.write(`warning: ${toPlainLine(warning)}\n`);
}
