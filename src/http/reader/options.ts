// Options of the reader, as headers or as query parameters of the same names.
import type { IncomingHttpHeaders } from "node:http";
import { z } from "zod";
import { RequestError } from "../../errors.ts";

const list = z.string().transform((text) => text.split(",").map((part) => part.trim()));
const flag = z.string().transform((text) => !/^(?:|0|false|no|off)$/i.test(text));
const parseSeconds = (min: number, max: number) => {
  const error = `must be a number of seconds from ${min} to ${max}`;
  return z.coerce.number({ error }).min(min, { error }).max(max, { error });
};
const TOKENS = { error: "must be a whole number from 50 to 1000000" };
const tokens = z.coerce.number(TOKENS).int(TOKENS).min(50, TOKENS).max(1_000_000, TOKENS);
const text = (max: number) => z.string().max(max, { error: `must have at most ${max} characters` });
const buildEnumSchema = <const Name extends string>(names: readonly Name[]) =>
  z.enum(names, { error: `must be ${names.slice(0, -1).join(", ")} or ${names.at(-1)}` });

const PROXY = /^(?:auto|none|basic|enhanced|[a-z]{2})$/i;

const optionsSchema = z.object({
  // Each endpoint has its own forms.
  "x-respond-with": text(100).optional(),
  "x-target-selector": list.optional(),
  "x-remove-selector": list.optional(),
  "x-wait-for": text(1_000).optional(),
  "x-timeout": parseSeconds(1, 300).optional(),
  "x-no-cache": flag.optional(),
  "x-cache-tolerance": parseSeconds(0, 31_536_000).optional(),
  "x-max-tokens": tokens.optional(),
  "x-retain-links": buildEnumSchema(["all", "text", "none"]).optional(),
  "x-retain-images": buildEnumSchema(["all", "alt", "none"]).optional(),
  "x-md-link-style": buildEnumSchema(["inlined", "referenced", "discarded"]).optional(),
  "x-keep-img-data-url": flag.optional(),
  "x-with-links-summary": flag.optional(),
  "x-with-images-summary": flag.optional(),
  "x-with-iframe": flag.optional(),
  "x-with-shadow-dom": flag.optional(),
  "x-remove-overlay": flag.optional(),
  "x-base": z.enum(["final"], { error: "must be final" }).optional(),
  "x-engine": buildEnumSchema(["auto", "browser"]).optional(),
  "x-locale": text(100).optional(),
  "x-proxy": z
    .string()
    .regex(PROXY, {
      error: "must be auto, none, basic, enhanced or a country code such as de",
    })
    .transform((value) => value.toLowerCase())
    .optional(),
  "x-set-cookie": z
    .string()
    .max(4_096)
    .regex(/^[^=;\s]+=[^;]*/, { error: "must start with name=value" })
    .optional(),
  "x-user-agent": text(1_000).optional(),
  "x-referer": text(2_000).optional(),
  "x-site": text(253).optional(),
  dnt: flag.optional(),
});

export type ReaderOptions = z.output<typeof optionsSchema>;
type Name = keyof ReaderOptions;

/** Names that the r.jina.ai family uses for the same options. */
const OTHER_NAMES: Readonly<Record<string, Name>> = {
  "x-return-format": "x-respond-with",
  "x-wait-for-selector": "x-wait-for",
  "x-token-budget": "x-max-tokens",
};

const NAMES: ReadonlySet<string> = new Set(Object.keys(optionsSchema.shape));

const ONE_STYLE = "Markdown is written in one style";
const SCRAPE = "use POST /v2/scrape with";

/** Options of that family that are rejected instead of ignored, with the reason. */
const REFUSED: Readonly<Record<string, string>> = {
  "x-with-generated-alt": "pictures are not described",
  "x-proxy-url": "only the operator sets proxies",
  "x-instruction": `${SCRAPE} the format json and a prompt`,
  "x-json-schema": `${SCRAPE} the format json and a schema`,
  "x-markdown-chunking": `${SCRAPE} markdown.chunks`,
  "x-respond-timing": "a page is read once it is idle; x-wait-for waits for more",
  "x-detach-invisibles": "it has no counterpart",
  "x-retain-media": "it has no counterpart",
  "x-robots-txt": "robots.txt is checked by crawls, not for single pages",
  "x-preset": "set its options one by one",
  "x-viewport": `${SCRAPE} mobile, or the format screenshot and a viewport`,
  "x-no-gfm": ONE_STYLE,
  "x-md-heading-style": ONE_STYLE,
  "x-md-hr": ONE_STYLE,
  "x-md-bullet-list-marker": ONE_STYLE,
  "x-md-em-delimiter": ONE_STYLE,
  "x-md-strong-delimiter": ONE_STYLE,
  "x-md-link-reference-style": ONE_STYLE,
};

const findName = (name: string): Name | undefined =>
  OTHER_NAMES[name] ?? (NAMES.has(name) ? (name as Name) : undefined);

export type ReaderCall = {
  readonly target: string;
  readonly options: ReaderOptions;
};

/**
 * Parses what follows `/read/` or `/find/` in the URL. The query belongs to the page, except
 * parameters that start with `x-` and match a header; the parameter wins over the header. Throws
 * BAD_REQUEST naming the option.
 */
export function readCall(rest: string, headers: IncomingHttpHeaders): ReaderCall {
  const given: Partial<Record<Name, string>> = {};
  for (const [name, value] of Object.entries(headers)) {
    rejectOption(name);
    const known = findName(name);
    if (known !== undefined && typeof value === "string") given[known] = value;
  }
  const [path = "", ...queries] = rest.split("?");
  const kept: string[] = [];
  for (const part of queries.join("?").split("&")) {
    const name = decode(part.split("=", 1)[0] ?? "").toLowerCase();
    rejectOption(name);
    const known = name.startsWith("x-") ? findName(name) : undefined;
    if (known === undefined) kept.push(part);
    else given[known] = decode(part.slice(part.indexOf("=") + 1).replaceAll("+", " "));
  }
  const query = kept.join("&");
  const checked = optionsSchema.safeParse(given);
  if (!checked.success) {
    const [issue] = checked.error.issues;
    throw new RequestError("BAD_REQUEST", `${String(issue?.path[0])}: ${issue?.message}`);
  }
  return { target: `${path}${query === "" ? "" : `?${query}`}`, options: checked.data };
}

function rejectOption(name: string): void {
  const reason = Object.hasOwn(REFUSED, name) ? REFUSED[name] : undefined;
  if (reason !== undefined)
    throw new RequestError(
      "BAD_REQUEST",
      `${name} is not supported by this reader: ${reason}. docs/reader.md lists the supported options.`,
    );
}

/** Returns it unchanged if it cannot be decoded. */
export function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
