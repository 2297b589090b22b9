// Pages by plain GET: `/read/URL` returns a page as text, `/feed/URL` its entries as a feed,
// `/find/WORDS` the best pages of a search.
// For callers without a client; any key with the scope `read` works.
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Document } from "../../contract/page/document.ts";
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
import { protect, send, serialize, TEXT_TYPES, wantsJson, type ReaderAnswer } from "./answer.ts";
import { readFeedKind, readPageForm } from "./forms.ts";
import { decode, readCall, type ReaderOptions } from "./options.ts";
import { readFrames } from "./read-frames.ts";
import { toScrape, type ReaderForm } from "./to-scrape.ts";
import type { Found } from "./fit-found.ts";

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

  const read = async (url: string, options: ReaderOptions, form: ReaderForm, context: Context) =>
    (
      await parts.scrape(
        checkAgainst(scrapeRequestSchema, { url, ...toScrape(options, form) }),
        context,
      )
    ).document;

  server.get("/read/*", { onRequest }, async (request, reply) => {
    const { target, options } = readCall(readRest(request, "/read/"), request.headers);
    const url = toUrl(target);
    const context = buildContext(request, reply);
    const form = readPageForm(options["x-respond-with"]);
    const document = await read(url, options, form, context);
    const { joinFrames, limitTokens, toPage, writePage } = await import("./write-page.ts");
    if (form === "screenshot" || form === "pageshot") {
      const { screenshot, warning } = document;
      if (screenshot === undefined)
        throw new RequestError("NOT_FOUND", warning ?? "This page has no screenshot.");
      if (!wantsJson(request)) return await reply.redirect(screenshot, 302);
      const { content: _, ...facts } = toPage(document, "", url);
      return await protect(reply).send({ success: true, data: { ...facts, screenshot } });
    }
    const { toPlainText } = await import("../../formats/markdown/to-plain-text.ts");
    const select = ({ html, markdown = "", metadata }: Document): string => {
      if (form === "html") return html ?? "";
      const isMarkup = form === "text" && !PLAIN_TYPE.test(String(metadata["contentType"]));
      return isMarkup ? toPlainText(markdown) : markdown;
    };
    let text = select(document);
    let failed: readonly string[] = [];
    if (options["x-with-iframe"] === true) {
      const found = await readFrames(
        document,
        { url: toPage(document, "", url).url, content: text },
        async (frame) => select(await read(frame, selectFrameOptions(options), form, context)),
      );
      text = joinFrames(text, found.frames, form);
      ({ failed } = found);
    }
    const { content, totalTokens } = limitTokens(text, options["x-max-tokens"]);
    const page = toPage(document, content, url, failed);
    return await send(request, reply, {
      json: { ...page, ...(totalTokens === undefined ? {} : { cutOfTokens: totalTokens }) },
      text: form === "html" ? content : writePage(page, totalTokens),
      type: form === "markdown" ? TEXT_TYPES.markdown : TEXT_TYPES.text,
    });
  });

  server.get("/feed/*", { onRequest }, async (request, reply) => {
    const rest = readRest(request, "/feed/");
    const { target, options } = readCall(rest, request.headers);
    const kind = readFeedKind(options["x-respond-with"], request.headers.accept);
    const document = await read(toUrl(target), options, "feed", buildContext(request, reply));
    const { feed, warning } = document;
    if (feed === undefined)
      throw new RequestError("NOT_FOUND", warning ?? "This page has no list of entries.");
    const { FEED_TYPES, writeFeed } = await import("../../feeds/write-feed.ts");
    const feedUrl = parts.address(request, `/feed/${rest}`);
    return await protect(reply)
      .header("cache-control", "private, max-age=300")
      .type(FEED_TYPES[kind])
      .send(writeFeed(feed, kind, { readAt: Date.now(), feedUrl }));
  });

  server.get("/find/*", { onRequest }, async (request, reply) => {
    const { target, options } = readCall(readRest(request, "/find/"), request.headers);
    const words = decode(target.replaceAll("+", " ")).trim();
    const site = options["x-site"];
    const query = site === undefined ? words : `${words} site:${site}`;
    if (words === "")
      throw new RequestError("BAD_REQUEST", "Words to search for come after /find/.");
    if (parts.search === undefined)
      throw new RequestError("NOT_IMPLEMENTED", "This process has no store, so it cannot search.");
    assertFitsSearch(options);
    const { timeout, ...scrapeOptions } = toScrape(options, "markdown");
    const body = {
      query,
      limit: MAX_FOUND_PAGES,
      ...(timeout !== undefined && { timeout }),
      scrapeOptions,
    };
    const { data, warning } = await parts.search(
      checkAgainst(searchRequestSchema, body),
      buildContext(request, reply),
    );
    const { asText, fitFound } = await import("./fit-found.ts");
    const budget = options["x-max-tokens"] ?? MAX_FIND_TOKENS;
    const write = (found: Found): ReaderAnswer => ({
      json: { query, ...found },
      text: asText(found),
      type: TEXT_TYPES.markdown,
    });
    const found = await fitFound(
      { data, words, budget, warning },
      (part) => serialize(request, write(part)).body,
    );
    return await send(request, reply, write(found));
  });
}

/** Files whose text is given as it is: notes, source code. */
const PLAIN_TYPE = /^text\/(?!html|(?:x-)?markdown|csv|tab-separated-values|xml)/i;

/** Options that are about one page, or about what follows its content. */
const ONLY_OF_PAGES = [
  "x-with-iframe",
  "x-with-links-summary",
  "x-with-images-summary",
  "x-wait-for",
  "x-set-cookie",
  "x-base",
] as const;

/** Throws BAD_REQUEST for an option that /find/ would have to ignore. */
function assertFitsSearch(options: ReaderOptions): void {
  const form = readPageForm(options["x-respond-with"]);
  const unfit =
    form === "markdown" ? ONLY_OF_PAGES.find((name) => options[name]) : "x-respond-with";
  if (unfit === undefined) return;
  throw new RequestError(
    "BAD_REQUEST",
    `${unfit} works at /read/URL only: /find/ returns passages of several pages as Markdown.`,
  );
}

/** Selectors, waiting and headers are those of the page, not of its frames. */
const selectFrameOptions = (options: ReaderOptions): ReaderOptions => ({
  "x-timeout": options["x-timeout"],
  "x-no-cache": options["x-no-cache"],
  "x-cache-tolerance": options["x-cache-tolerance"],
  "x-retain-links": options["x-retain-links"],
  "x-retain-images": options["x-retain-images"],
  "x-locale": options["x-locale"],
  "x-proxy": options["x-proxy"],
  dnt: options.dnt,
});

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
