import type { MapParameters } from "../../client/client.ts";
import type { Config } from "../config.ts";
import { connectToJobs, type ServerChoice } from "./connect.ts";
import { toPlainLine } from "./terminal-text.ts";
import { withSpinner } from "./spinner.ts";

export type MapCommandOptions = ServerChoice & {
  readonly search?: string;
  readonly limit?: number;
  readonly sitemap?: string;
  readonly subdomains: boolean;
  readonly timeout?: number;
  readonly json?: boolean;
};

/** `quarry map URL`: prints the URLs of a site, one per line. */
export async function runMapCommand(
  config: Config,
  url: string,
  options: MapCommandOptions,
): Promise<void> {
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
  const text =
    options.json === true
      ? `${JSON.stringify(links, null, 2)}\n`
      : links.map((link) => `${link.url}\n`).join("");
  process.stdout.write(text);
  if (warning !== undefined) process.stderr.write(`warning: ${toPlainLine(warning)}\n`);
}
