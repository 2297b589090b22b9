// Pages by plain GET: `/read/URL` returns a page as text, `/find/WORDS` the best pages of a search.
// For callers without a client; any key with the scope `read` works.
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { scrapeRequestSchema } from "../../contract/page/scrape.ts";
import { searchRequestSchema } from "../../contract/page/search.ts";
import type { Identity } from "../../account/identity.ts";
import type { Config } from "../../config.ts";
import { RequestError } from "../../errors.ts";
import type { Scrape } from "../../scrape/scrape.ts";
import type { Search } from "../../search/search.ts";
import { assertScope } from "../middleware/authenticate.ts";
import type { PublicAddress } from "../public-address.ts";
import { checkAgainst, endSignal, identify, type Gatekeeper } from "../route.ts";
import { decode, readCall, type ReaderOptions } from "./options.ts";

export type ReaderParts = {
  readonly scrape: Scrape;
  /** Undefined in a process without a store. */
  readonly search: Search | undefined;
  readonly address: PublicAddress;
  /** True if `?key=` is accepted from keys whose only scope is `read`. */
  readonly takesKeyInAddress: boolean;
};

export const createReaderParts = (
  { keyInAddress }: Pick<Config, "keyInAddress">,
  parts: Omit<ReaderParts, "takesKeyInAddress">,
): ReaderParts => ({ ...parts, takesKeyInAddress: keyInAddress });

type Context = Parameters<Scrape>[1];

const MAX_FOUND_PAGES = 5;
const MAX_FIND_TOKENS = 8_000;
const KEY_PARAMETER = /[?&]key=(qy-[\w-]{43})(?=&|$)/;

export function serveReader(
  server: FastifyInstance,
  parts: ReaderParts,
  gatekeeper: Gatekeeper,
): void {
  const identities = new WeakMap<FastifyRequest, Identity>();
  const onRequest = async (request: FastifyRequest): Promise<void> => {
    const identity = await identifyReader(request, parts, gatekeeper);
    assertScope(identity, "read");
    await gatekeeper.rate.take(identity, "work");
    identities.set(request, identity);
  };
  const buildContext = (request: FastifyRequest, reply: FastifyReply): Context => {
    const identity = identities.get(request);
    if (identity === undefined) throw new RequestError("UNAUTHORIZED", "Unauthorized");
    const signal = endSignal(reply, gatekeeper.stopping);
    return {
      identity,
      requestId: request.id,
      base: parts.address(request, ""),
      signal,
      explain: false,
    };
  };

  server.get("/read/*", { onRequest }, async (request, reply) => {
    const { target, options } = readCall(readRest(request, "/read/"), request.headers);
    const url = toUrl(target);
    const { document } = await parts.scrape(
      checkAgainst(scrapeRequestSchema, toScrape(url, options)),
      buildContext(request, reply),
    );
    const { limitTokens, toPage, toPlainText, writePage } = await import("./write-page.ts");
    const form = options["x-respond-with"] ?? "markdown";
    const whole = form === "html" ? (document.html ?? "") : (document.markdown ?? "");
    const text = form === "text" ? toPlainText(whole) : whole;
    const { content, totalTokens } = limitTokens(text, options["x-max-tokens"]);
    const page = toPage(document, content, url);
    return await answer(request, reply, {
      json: { ...page, ...(totalTokens === undefined ? {} : { cutOfTokens: totalTokens }) },
      text: form === "html" ? content : writePage(page, totalTokens),
      type: form === "html" ? "text/plain; charset=utf-8" : TEXT_TYPES[form],
    });
  });

  server.get("/find/*", { onRequest }, async (request, reply) => {
    const { target, options } = readCall(readRest(request, "/find/"), request.headers);
    const query = decode(target.replaceAll("+", " ")).trim();
    if (query === "")
      throw new RequestError("BAD_REQUEST", "Words to search for come after /find/.");
    if (parts.search === undefined)
      throw new RequestError("NOT_IMPLEMENTED", "This process has no store, so it cannot search.");
    const body = { query, limit: MAX_FOUND_PAGES, scrapeOptions: { formats: ["markdown"] } };
    const { data, warning } = await parts.search(
      checkAgainst(searchRequestSchema, body),
      buildContext(request, reply),
    );
    const { writeFound } = await import("./write-found.ts");
    const found = writeFound(data, query, options["x-max-tokens"] ?? MAX_FIND_TOKENS);
    return await answer(request, reply, {
      json: { query, results: found.results, ...(warning === undefined ? {} : { warning }) },
      text: [...(warning === undefined ? [] : [`(${warning})\n`]), found.text].join("\n"),
      type: TEXT_TYPES.markdown,
    });
  });
}

const TEXT_TYPES = {
  markdown: "text/markdown; charset=utf-8",
  text: "text/plain; charset=utf-8",
} as const;

/**
 * Answers as text, or as JSON or an event stream if Accept requests it. A browser runs nothing in
 * it.
 */
async function answer(
  request: FastifyRequest,
  reply: FastifyReply,
  { json, text, type }: { readonly json: object; readonly text: string; readonly type: string },
): Promise<FastifyReply> {
  const accept = request.headers.accept ?? "";
  reply.header("x-content-type-options", "nosniff");
  reply.header("content-security-policy", "default-src 'none'; sandbox");
  if (/\bapplication\/json\b/i.test(accept)) return await reply.send({ success: true, data: json });
  if (/\btext\/event-stream\b/i.test(accept))
    return await reply
      .type("text/event-stream; charset=utf-8")
      .send(`event: page\ndata: ${JSON.stringify(json)}\n\n`);
  // Browsers display text/plain but download Markdown.
  const shown = /\btext\/html\b/i.test(accept) ? TEXT_TYPES.text : type;
  return await reply.type(shown).send(text);
}

/** The rest of the raw URL, without the caller's key. */
function readRest({ raw }: FastifyRequest, start: string): string {
  const url = raw.url ?? "";
  const rest = url.slice(url.indexOf(start) + start.length);
  const withoutKey = rest.replace(KEY_PARAMETER, (found) => (found.startsWith("?") ? "?" : ""));
  return withoutKey.replace("?&", "?").replace(/\?$/, "");
}

/** Reads a whole URL, raw or encoded; https without a scheme. Throws BAD_REQUEST. */
function toUrl(target: string): string {
  const isEncoded = /^https?%3a/i.test(target);
  const text = isEncoded ? decode(target) : target;
  // Proxies merge two slashes into one.
  const whole = text.replace(/^(https?):\/{1,2}(?=[^/])/i, "$1://");
  const url = /^[a-z][a-z0-9+.-]*:\/\//i.test(whole) ? whole : `https://${whole}`;
  if (text === "" || URL.parse(url) === null)
    throw new RequestError(
      "BAD_REQUEST",
      "A URL comes after /read/, such as /read/https://example.com/page.",
    );
  return url;
}

function toScrape(url: string, options: ReaderOptions): object {
  const maxAge = options["x-no-cache"] === true ? 0 : options["x-cache-tolerance"];
  const wait = options["x-wait-for"];
  const timeout = options["x-timeout"];
  const locale = options["x-locale"];
  const form = options["x-respond-with"] === "html" ? "html" : "markdown";
  return {
    url,
    formats: [
      form,
      ...(options["x-with-links-summary"] === true ? ["links"] : []),
      ...(options["x-with-images-summary"] === true ? ["images"] : []),
    ],
    ...buildMarkdownOptions(options),
    ...(options["x-target-selector"] && { includeTags: options["x-target-selector"] }),
    ...(options["x-remove-selector"] && { excludeTags: options["x-remove-selector"] }),
    ...(wait !== undefined && { actions: [{ type: "wait", selector: wait }] }),
    ...(timeout !== undefined && { timeout: Math.max(1_000, Math.round(timeout * 1_000)) }),
    ...(maxAge !== undefined && { maxAge: options["x-no-cache"] === true ? 0 : maxAge * 1_000 }),
    ...(locale !== undefined && { location: { languages: [locale] } }),
    ...(options["x-proxy"] && { proxy: options["x-proxy"] }),
  };
}

function buildMarkdownOptions({
  "x-retain-links": links,
  "x-retain-images": images,
}: ReaderOptions): object {
  if (links === undefined && images === undefined) return {};
  return {
    markdown: {
      ...(links !== undefined && { links: links === "all" ? "inline" : links }),
      ...(images !== undefined && { images }),
    },
  };
}

/**
 * Authenticates by header, or by `?key=` if the operator allows it, because URLs are visible to
 * others.
 */
async function identifyReader(
  request: FastifyRequest,
  { takesKeyInAddress }: ReaderParts,
  gatekeeper: Gatekeeper,
): Promise<Identity> {
  const [, key] = KEY_PARAMETER.exec(request.raw.url ?? "") ?? [];
  if (key === undefined || request.headers.authorization !== undefined)
    return await identify(request, gatekeeper);
  if (!takesKeyInAddress)
    throw new RequestError(
      "UNAUTHORIZED",
      "Unauthorized: this server accepts no key in the URL (QUARRY_KEY_IN_ADDRESS); send it in the header Authorization.",
    );
  const identity = await gatekeeper.verify(key);
  if (identity === undefined) throw new RequestError("UNAUTHORIZED", "Unauthorized: Invalid token");
  if (identity.scopes?.length !== 1 || identity.scopes[0] !== "read")
    throw new RequestError(
      "FORBIDDEN",
      'Forbidden: a key in the URL must have read as its only scope ("quarry keys create NAME --scope read").',
    );
  return identity;
}
