import type { ScrapeParameters } from "../../client/client.ts";
import { RequestError } from "../errors.ts";

/** What the commands say about each page they get. */
export type PageOptions = {
  readonly format?: readonly string[];
  readonly wholePage?: boolean;
  readonly header?: readonly string[];
  readonly timeout?: number;
  readonly maxAge?: number;
  readonly proxy?: string;
};

/** The fields of a scrape request that these options stand for; the server checks every value and names what does not fit. */
export function toPageParameters(options: PageOptions): ScrapeParameters {
  const formats = (options.format ?? ["markdown"])
    .flatMap((names) => names.split(","))
    .map((name) => name.trim());
  const parameters: Record<string, unknown> = { formats };
  if (options.wholePage === true) parameters["onlyMainContent"] = false;
  if (options.header !== undefined)
    parameters["headers"] = Object.fromEntries(options.header.map(parseHeader));
  for (const name of ["timeout", "maxAge", "proxy"] as const) {
    if (options[name] !== undefined) parameters[name] = options[name];
  }
  return parameters as ScrapeParameters;
}

function parseHeader(line: string): [string, string] {
  const colon = line.indexOf(":");
  if (colon < 1)
    throw new RequestError("BAD_REQUEST", `--header must look like "Name: value", not "${line}".`);
  return [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
}
