// Returns the Markdown of a page by URL or by handle.
import { QuarryApiError } from "../../client/errors.ts";
import { RequestError } from "../errors.ts";
import { stripInvisible } from "../runtime/strip-invisible.ts";
import { normalizeLanguage } from "../ranking/stems.ts";
import type { ToolContext } from "./define-tool.ts";
import { parseHandle } from "./handle.ts";

export type OpenPage = {
  readonly scrapeId: string;
  readonly url: string;
  /** The URL that was asked for, before redirects. */
  readonly requestedUrl: string;
  readonly title: string;
  /** Code of a language whose words can be stemmed, or NO_LANGUAGE. */
  readonly language: string;
  readonly markdown: string;
  /** Reports of the service about the page, such as that it is a login page. */
  readonly notes: string[];
  /** The section named in the handle. */
  readonly section: string | undefined;
};

type Options = {
  readonly fresh?: boolean | undefined;
  /** Loads all entries of a page that grows, within the default limits. */
  readonly scroll?: boolean | undefined;
};

const DAY_MS = 86_400_000;

/** A known scrape without a document has its status in the details. */
const isKnownScrape = ({ details }: QuarryApiError): boolean =>
  typeof details === "object" && details !== null && "status" in details;

/** The API calls a scrape a job (wire contract 5.2); an agent knows it as a capture. */
async function readCapture(scrapeId: string, { client, signal }: ToolContext) {
  try {
    return await client.scrapeResult(scrapeId, { signal });
  } catch (error) {
    if (error instanceof QuarryApiError && error.code === "NOT_FOUND" && !isKnownScrape(error))
      throw new RequestError(
        "NOT_FOUND",
        "Capture not found. Handles expire with their scrape; read the page by its URL, and the answer has a new handle.",
        { cause: error },
      );
    throw error;
  }
}

/** Throws the client's errors, and BAD_REQUEST for text that is neither a handle nor a URL. */
export async function openPage(
  target: string,
  { client, signal }: ToolContext,
  { fresh = false, scroll = false }: Options = {},
): Promise<OpenPage> {
  const handle = parseHandle(target);
  if (handle === undefined && URL.parse(target) === null)
    throw new RequestError(
      "BAD_REQUEST",
      "Give a whole URL with its scheme, or a quarry://capture/ handle of an earlier answer.",
    );
  const document =
    handle === undefined
      ? await client.scrape(
          target,
          {
            formats: ["markdown"],
            maxAge: fresh ? 0 : DAY_MS,
            ...(scroll ? { scroll: "auto" as const } : {}),
          },
          { signal },
        )
      : await readCapture(handle.scrapeId, { client, signal });
  const { metadata, markdown, warning } = document;
  if (markdown === undefined)
    throw new RequestError(
      "BAD_REQUEST",
      "That capture has no Markdown. Read the page by its URL instead.",
    );
  const { statusCode = 200, verdict = "content" } = metadata;
  return {
    scrapeId: handle?.scrapeId ?? String(metadata.scrapeId),
    url: metadata.url ?? metadata.sourceURL ?? target,
    requestedUrl: metadata.sourceURL ?? target,
    title: stripInvisible(typeof metadata.title === "string" ? metadata.title : ""),
    language: normalizeLanguage(metadata.language),
    markdown: stripInvisible(markdown),
    notes: [
      ...(statusCode >= 400 ? [`The site answered with status ${statusCode}.`] : []),
      ...(verdict === "content" ? [] : [`Server verdict: ${verdict}.`]),
      ...(typeof warning === "string" ? [warning] : []),
    ],
    section: handle?.section,
  };
}
