// The request of the playground in the address of its screen, for sharing and history. Pure.
import type { Mode, Options } from "./modes.ts";

/** The server takes 16 KB of headers: the address, cookies and the headers of the browser. */
const MAX_PATH_CHARACTERS = 12_000;

export function readOptions(text: string | null): Options {
  try {
    const value = JSON.parse(text ?? "{}") as unknown;
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Options)
      : {};
  } catch {
    return {};
  }
}

const writeOptions = (options: Options): string =>
  Object.keys(options).length === 0 ? "" : JSON.stringify(options);

/**
 * Returns the path of the screen with this request filled in; undefined if the server would refuse
 * it as too long.
 */
export function buildRequestPath(
  mode: Pick<Mode, "id">,
  subject: string,
  options: Options,
): string | undefined {
  const query = new URLSearchParams();
  const text = writeOptions(options);
  // Encoding makes no text shorter.
  if (subject.length + text.length > MAX_PATH_CHARACTERS) return undefined;
  if (mode.id !== "scrape") query.set("mode", mode.id);
  if (subject !== "") query.set("url", subject);
  if (text !== "") query.set("options", text);
  const path = query.size === 0 ? "/" : `/?${query.toString()}`;
  return path.length > MAX_PATH_CHARACTERS ? undefined : path;
}

/**
 * Changes of the query that name this request, in place of one that was loaded. Without the URL and
 * the options of a request that does not fit into an address.
 */
export function describeRequest(
  mode: Pick<Mode, "id">,
  subject: string,
  options: Options,
): Readonly<Record<string, string | undefined>> {
  const fits = buildRequestPath(mode, subject, options) !== undefined;
  return {
    mode: mode.id === "scrape" ? undefined : mode.id,
    url: fits ? subject : undefined,
    options: fits ? writeOptions(options) : undefined,
    run: undefined,
    scrape: undefined,
    job: undefined,
  };
}

/** Identifies the request that an address fills in. */
export const identifyRequest = (query: URLSearchParams): string =>
  JSON.stringify(["mode", "url", "options", "scrape", "job"].map((name) => query.get(name)));
