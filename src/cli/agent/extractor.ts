// `quarry extractor`: stored extractors of the server on the data folder, or of the one that is
// named.
import type { Extractor, ExtractorRequest, ExtractorTestRequest } from "../../../client/wire.ts";
import type { Config } from "../../config.ts";
import { RequestError } from "../../errors.ts";
import { connectToJobs, type ServerChoice } from "../connect.ts";
import { EXIT } from "../terminal/exit-codes.ts";
import { readJsonOption } from "../pages/page-tasks.ts";
import { withSpinner } from "../terminal/spinner.ts";
import { toPlainLine } from "../terminal/terminal-text.ts";

export type ExtractorCommandOptions = ServerChoice & { readonly json?: boolean };
export type LearnOptions = ExtractorCommandOptions & {
  readonly data?: readonly string[];
  readonly schema?: string;
  readonly prompt?: string;
  readonly from?: "rules" | "model";
  readonly program?: string;
  readonly name?: string;
  readonly relearn?: boolean;
};
export type RunOptions = ExtractorCommandOptions & { readonly maxAge?: number };
export type TestOptions = RunOptions & { readonly data?: readonly string[] };

const print = (text: string): void => void process.stdout.write(`${text}\n`);
const warn = (text: string): void => void process.stderr.write(`${toPlainLine(text)}\n`);
const toJson = (value: unknown): string => JSON.stringify(value, null, 2);

export async function learnExtractor(
  config: Config,
  urls: readonly string[],
  options: LearnOptions,
): Promise<void> {
  const { data, schema, prompt, from, program, name, relearn } = options;
  const request = {
    ...(program === undefined ? {} : { program: readJsonOption(program, "--program") }),
    ...(data !== undefined
      ? { examples: buildExamples(urls, data) }
      : urls.length > 0
        ? { urls: [...urls] }
        : {}),
    ...(schema === undefined ? {} : { schema: readJsonOption(schema, "--schema") }),
    ...(prompt === undefined ? {} : { prompt }),
    ...(from === undefined ? {} : { from }),
    ...(name === undefined ? {} : { name }),
    ...(relearn === undefined ? {} : { relearn }),
    integration: "cli",
  } as ExtractorRequest;
  await using connection = await connectToJobs(config, options);
  const reply = await withSpinner(process.stderr, "Learning", () =>
    connection.client.extractors.create(request),
  );
  if (options.json === true) {
    print(toJson(reply.data));
    return;
  }
  print(reply.data.id);
  for (const { field, detail } of reply.data.problems ?? [])
    warn(`${field} was not learned: ${detail}`);
  warn(`learned: ${Object.keys(reply.data.program.fields).join(", ")}`);
}

function buildExamples(
  urls: readonly string[],
  data: readonly string[],
): { url: string; data: Record<string, unknown> }[] {
  if (urls.length !== data.length)
    throw new RequestError(
      "BAD_REQUEST",
      `--data is needed once for each URL: ${urls.length} URLs and ${data.length} values of --data are given.`,
    );
  return urls.map((url, at) => ({
    url,
    data: readJsonOption(data[at] ?? "", "--data") as Record<string, unknown>,
  }));
}

export async function runExtractor(
  config: Config,
  id: string,
  urls: readonly string[],
  options: RunOptions,
): Promise<void> {
  await using connection = await connectToJobs(config, options);
  const { data } = await withSpinner(process.stderr, `Running over ${urls.length} pages`, () =>
    connection.client.extractors.run(id, urls, toPageOptions(options)),
  );
  if (options.json === true) print(toJson(data));
  for (const { url, json, warning, error } of data) {
    if (options.json !== true && error === undefined) print(JSON.stringify(json ?? null));
    const note = error ?? warning;
    if (note !== undefined) warn(`${url}: ${note}`);
  }
  if (data.every(({ json }) => json === undefined || json === null)) process.exitCode = EXIT.target;
}

const toPageOptions = ({ maxAge }: RunOptions) => ({
  ...(maxAge === undefined ? {} : { scrapeOptions: { maxAge } }),
  integration: "cli",
});

export async function showExtractor(
  config: Config,
  id: string,
  options: ExtractorCommandOptions,
): Promise<void> {
  await using connection = await connectToJobs(config, options);
  const extractor = await connection.client.extractors.get(id);
  if (options.json === true) {
    print(toJson(extractor));
    return;
  }
  print(toJson(extractor.program));
  for (const line of describe(extractor)) warn(line);
}

function describe({ name, version, state, source, health }: Extractor): string[] {
  const lines = [`${name}, version ${version} from ${source}: ${state}`];
  if (health.reason !== undefined) lines.push(`  ${health.reason}`);
  for (const [field, { expected, found }] of Object.entries(health.fields))
    lines.push(`  ${field}: found ${found} of ${expected} times on the last ${health.pages} pages`);
  return lines;
}

export async function testExtractor(
  config: Config,
  id: string,
  urls: readonly string[],
  options: TestOptions,
): Promise<void> {
  const examples =
    options.data === undefined && urls.length === 0
      ? undefined
      : buildExamples(urls, options.data ?? []);
  const request: NonNullable<ExtractorTestRequest> = {
    ...(examples === undefined ? {} : { examples }),
    ...toPageOptions(options),
  };
  await using connection = await connectToJobs(config, options);
  const { data } = await connection.client.extractors.test(id, request);
  if (options.json === true) print(toJson(data));
  else {
    for (const [field, { right, wrong, missing }] of Object.entries(data.fields))
      print(`${field}: ${right} right, ${wrong} wrong, ${missing} missing`);
    for (const { url, differences, error } of data.pages) {
      if (error !== undefined) warn(`${url}: ${error}`);
      for (const { pointer, expected, given } of differences)
        warn(
          `${url} ${pointer}: ${JSON.stringify(given ?? null)} instead of ${JSON.stringify(expected)}`,
        );
    }
  }
  if (!data.passed) process.exitCode = EXIT.target;
}

export async function listExtractors(
  config: Config,
  options: ExtractorCommandOptions,
): Promise<void> {
  await using connection = await connectToJobs(config, options);
  let cursor: string | undefined;
  do {
    const page = await connection.client.extractors.list({ cursor });
    for (const extractor of page.data)
      print(
        options.json === true
          ? JSON.stringify(extractor)
          : `${extractor.id}  ${extractor.state}  version ${extractor.version}  ${toPlainLine(extractor.name)}`,
      );
    cursor = page.cursor ?? undefined;
  } while (cursor !== undefined);
}

export async function deleteExtractor(
  config: Config,
  id: string,
  options: ExtractorCommandOptions,
): Promise<void> {
  await using connection = await connectToJobs(config, options);
  await connection.client.extractors.delete(id);
  if (options.json === true) print(JSON.stringify({ success: true, id }));
  else warn(`deleted ${id}`);
}
