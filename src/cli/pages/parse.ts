import { readFile } from "node:fs/promises";
import path from "node:path";
import type { ParseParameters } from "../../../client/client.ts";
import type { Config } from "../../config.ts";
import { RequestError } from "../../errors.ts";
import { connect, type ServerChoice } from "../connect.ts";
import { resolveOutput } from "./document-files.ts";
import { listFormats, toPageParameters, type PageOptions } from "./page-options.ts";
import { ExplanationRecorder, printDocument, type PrintOptions } from "./print-document.ts";
import { withSpinner } from "../terminal/spinner.ts";

export type ParseCommandOptions = ServerChoice &
  Pick<PageOptions, "format" | "timeout"> &
  PrintOptions & {
    readonly mode?: string;
    readonly maxPages?: number;
    readonly pageMarkers?: boolean;
  };

/** `quarry parse FILE`: prints a local file like `quarry scrape` prints a page. */
export async function parseCommand(
  config: Config,
  file: string,
  options: ParseCommandOptions,
): Promise<void> {
  const formats = listFormats(options);
  await resolveOutput(options.out, formats, options.json === true);
  const data = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    throw new RequestError("BAD_REQUEST", `${file} cannot be read (${error.code}).`, {
      cause: error,
    });
  });
  const recorder = new ExplanationRecorder();
  await using connection = await connect(config, options, recorder.listen(options));
  const upload = { filename: path.basename(file), data };
  const document = await withSpinner(process.stderr, `Reading ${file}`, (reading) =>
    connection.client.parse(upload, toParameters(options), reading),
  );
  await printDocument(document, formats, options, {
    ...connection,
    explanation: await recorder.explanation,
  });
}

function toParameters(options: ParseCommandOptions): ParseParameters {
  const { mode, maxPages, pageMarkers } = options;
  const pdf = {
    type: "pdf",
    ...(mode === undefined ? {} : { mode }),
    ...(maxPages === undefined ? {} : { maxPages }),
    ...(pageMarkers === undefined ? {} : { pageMarkers }),
  };
  const parameters: Record<string, unknown> = {
    ...toPageParameters(options),
    parsers: [pdf, { type: "image" }],
    integration: "cli",
  };
  return parameters as ParseParameters;
}
