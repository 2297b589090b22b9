import type { ScrapeParameters } from "../../../client/client.ts";
import type { Config } from "../../config.ts";
import { describeChanges } from "./change-lines.ts";
import { connect, connectToJobs, type ServerChoice } from "../connect.ts";
import {
  listFormats,
  toPageParameters,
  hasChangeTracking,
  wantsOnlyChanges,
  type PageOptions,
} from "./page-options.ts";
import { printExplanation } from "./explain.ts";
import { ExplanationRecorder, printDocument, type PrintOptions } from "./print-document.ts";
import { resolveOutput } from "./document-files.ts";
import { withSpinner } from "../terminal/spinner.ts";

export type ScrapeCommandOptions = ServerChoice &
  PageOptions &
  PrintOptions & {
    readonly include?: readonly string[];
    readonly exclude?: readonly string[];
  };

/** `quarry scrape URL`: the page on standard output, explanation and warnings on standard error. */
export async function runScrapeCommand(
  config: Config,
  url: string,
  options: ScrapeCommandOptions,
): Promise<void> {
  const formats = listFormats(options);
  const parameters = toParameters(options);
  await resolveOutput(options.out, formats, options.json === true);
  const recorder = new ExplanationRecorder();
  await using connection = hasChangeTracking(options)
    ? { where: "the server", ...(await connectToJobs(config, options)) }
    : await connect(config, options, recorder.listen(options));
  const document = await withSpinner(process.stderr, `Scraping ${url}`, (reading) =>
    connection.client.scrape(url, parameters, reading),
  ).catch(async (error: unknown) => {
    const explanation = await recorder.explanation;
    if (explanation !== undefined && options.explain === true)
      printExplanation(explanation, connection.where);
    throw error;
  });
  const isForPeople = wantsOnlyChanges(options) && options.json !== true;
  const { metadata, warning } = document;
  const shown = isForPeople ? { changes: describeChanges(document), metadata, warning } : document;
  await printDocument(shown, formats, options, {
    ...connection,
    explanation: await recorder.explanation,
  });
}

function toParameters(options: ScrapeCommandOptions): ScrapeParameters {
  const parameters: Record<string, unknown> = { ...toPageParameters(options), integration: "cli" };
  if (options.include !== undefined) parameters["includeTags"] = options.include;
  if (options.exclude !== undefined) parameters["excludeTags"] = options.exclude;
  return parameters as ScrapeParameters;
}
