// Options of the reader, as headers or as query parameters of the same names.
import type { IncomingHttpHeaders } from "node:http";
import { z } from "zod";
import { RequestError } from "../../errors.ts";

const list = z.string().transform((text) => text.split(",").map((part) => part.trim()));
const flag = z.string().transform((text) => !/^(?:|0|false|no|off)$/i.test(text));
const parseSeconds = (most: number) => z.coerce.number().min(0).max(most);
const tokens = z.coerce.number().int().min(50).max(1_000_000);

const optionsSchema = z.object({
  "x-respond-with": z.enum(["markdown", "text", "html"]).optional(),
  "x-target-selector": list.optional(),
  "x-remove-selector": list.optional(),
  "x-wait-for": z.string().max(1_000).optional(),
  "x-timeout": parseSeconds(300).optional(),
  "x-no-cache": flag.optional(),
  "x-cache-tolerance": parseSeconds(31_536_000).optional(),
  "x-max-tokens": tokens.optional(),
  "x-retain-links": z.enum(["all", "text", "none"]).optional(),
  "x-retain-images": z.enum(["all", "alt", "none"]).optional(),
  "x-with-links-summary": flag.optional(),
  "x-with-images-summary": flag.optional(),
  "x-locale": z.string().max(100).optional(),
  "x-proxy": z.enum(["basic", "enhanced", "auto"]).optional(),
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

/** Options of that family that are rejected instead of ignored. */
const REFUSED: ReadonlySet<string> = new Set([
  "x-with-iframe",
  "x-with-shadow-dom",
  "x-with-generated-alt",
  "x-set-cookie",
  "x-proxy-url",
  "x-engine",
]);

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
    refuse(name);
    const known = findName(name);
    if (known !== undefined && typeof value === "string") given[known] = value;
  }
  const [path = "", ...queries] = rest.split("?");
  const kept: string[] = [];
  for (const part of queries.join("?").split("&")) {
    const name = decode(part.split("=", 1)[0] ?? "").toLowerCase();
    refuse(name);
    const known = findName(name);
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

function refuse(name: string): void {
  if (REFUSED.has(name))
    throw new RequestError(
      "BAD_REQUEST",
      `${name} is not supported by this reader; docs/reader.md lists the supported options.`,
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
