// The scrape that a reader's options ask for.
import type { ReaderOptions } from "./options.ts";
import { REMOVE_OVERLAYS } from "./remove-overlays.ts";

/** Feed readers ask often and want news, so cached pages count as new for this long. */
const FEED_MAX_AGE_SECONDS = 900;

export type ReaderForm = "markdown" | "text" | "html" | "screenshot" | "pageshot" | "feed";

/** Fields of a scrape without its URL. */
export function toScrape(
  options: ReaderOptions,
  form: ReaderForm,
): { readonly timeout?: number } & Readonly<Record<string, unknown>> {
  const timeout = options["x-timeout"];
  const maxAge = readMaxAgeSeconds(options, form);
  const headers = buildHeaders(options);
  return {
    formats: [
      ...listFormats(form),
      ...(options["x-with-links-summary"] === true ? ["links"] : []),
      ...(options["x-with-images-summary"] === true ? ["images"] : []),
      ...(options["x-with-iframe"] === true && form !== "feed" ? [FRAMES] : []),
    ],
    ...(listFormats(form).includes("markdown") && buildMarkdownOptions(options, form)),
    ...(options["x-target-selector"] && { includeTags: options["x-target-selector"] }),
    ...(options["x-remove-selector"] && { excludeTags: options["x-remove-selector"] }),
    ...(options["x-keep-img-data-url"] === true && { removeBase64Images: false }),
    ...buildActions(options),
    // A wait is what makes the plan start with the browser. Scripts attach most shadow roots.
    ...((options["x-engine"] === "browser" || options["x-with-shadow-dom"] === true) && {
      waitFor: 1,
    }),
    ...(timeout !== undefined && { timeout: Math.round(timeout * 1_000) }),
    ...(maxAge !== undefined && { maxAge: maxAge * 1_000 }),
    ...(options.dnt === true && { storeInCache: false }),
    ...(headers !== undefined && { headers }),
    ...buildPlace(options),
  };
}

function buildActions(options: ReaderOptions): object {
  const selector = options["x-wait-for"];
  const actions = [
    ...(selector === undefined ? [] : [{ type: "wait", selector }]),
    ...(options["x-remove-overlay"] === true
      ? [{ type: "executeJavascript", script: REMOVE_OVERLAYS }]
      : []),
  ];
  return actions.length === 0 ? {} : { actions };
}

/** Addresses of frames as written; a frame that loads late has its address in data-src. */
const FRAMES = { type: "attributes", selectors: [{ selector: "iframe", attribute: "src" }] };

function listFormats(form: ReaderForm): (string | object)[] {
  switch (form) {
    case "html":
      return ["html"];
    case "feed":
      return ["feed"];
    case "screenshot":
      return ["screenshot"];
    case "pageshot":
      return [{ type: "screenshot", fullPage: true }];
    default:
      return ["markdown"];
  }
}

function readMaxAgeSeconds(options: ReaderOptions, form: ReaderForm): number | undefined {
  if (options["x-no-cache"] === true) return 0;
  return options["x-cache-tolerance"] ?? (form === "feed" ? FEED_MAX_AGE_SECONDS : undefined);
}

const LINK_STYLES = { inlined: "inline", referenced: "reference", discarded: "text" } as const;

function buildMarkdownOptions(options: ReaderOptions, form: ReaderForm): object {
  const style = form === "text" ? undefined : options["x-md-link-style"];
  const kept = options["x-retain-links"];
  const images = options["x-retain-images"];
  const links =
    kept === undefined || kept === "all"
      ? style === undefined
        ? kept && "inline"
        : LINK_STYLES[style]
      : kept;
  if (links === undefined && images === undefined) return {};
  return {
    markdown: { ...(links !== undefined && { links }), ...(images !== undefined && { images }) },
  };
}

function buildHeaders(options: ReaderOptions): Record<string, string> | undefined {
  const headers = {
    // The attributes of a cookie say where it is sent; here that is the page only.
    Cookie: options["x-set-cookie"]?.split(";", 1)[0],
    "User-Agent": options["x-user-agent"],
    Referer: options["x-referer"],
  };
  const given = Object.entries(headers).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return given.length === 0 ? undefined : Object.fromEntries(given);
}

function buildPlace({ "x-locale": locale, "x-proxy": proxy }: ReaderOptions): object {
  const tier = proxy === "none" ? "basic" : proxy;
  const isCountry = tier !== undefined && tier.length === 2;
  const location = {
    ...(locale !== undefined && { languages: [locale] }),
    ...(isCountry && { country: tier }),
  };
  return {
    ...(Object.keys(location).length > 0 && { location }),
    ...(tier !== undefined && !isCountry && { proxy: tier }),
  };
}
