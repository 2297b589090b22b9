// Bodies of a form-based client: n8n's node sends the state of its form groups beside the actual
// fields.
import { isObject } from "../../runtime/is-object.ts";

type Fields = Readonly<Record<string, unknown>>;

function omit(fields: Fields, name: string): Fields {
  const { [name]: _left, ...rest } = fields;
  return rest;
}

/** The form group is named `settings`; country and languages may also be beside it. */
function unwrapLocation(fields: Fields): Fields {
  const { location } = fields;
  if (!isObject(location) || !isObject(location["settings"])) return fields;
  return {
    ...fields,
    location: { country: location["settings"]["country"], ...omit(location, "settings") },
  };
}

/** Formats of crawl and extract are beside scrapeOptions, and inside it as the form's list. */
function mergeFormats(body: Fields, scrapeOptions: Fields): Fields {
  const { formats, ...rest } = body;
  const inside = Array.isArray(scrapeOptions["formats"])
    ? scrapeOptions
    : omit(scrapeOptions, "formats");
  const isMeant = Array.isArray(formats) && formats.length > 0;
  return {
    ...rest,
    scrapeOptions: unwrapLocation(isMeant ? { ...inside, formats } : inside),
  };
}

/**
 * Converts a body to the contract's form. Only bodies of n8n's node (`integration: "n8n"`) are
 * changed: `location.settings` is unwrapped, and `formats` beside `scrapeOptions` move into it.
 */
export function toPlainBody(body: unknown): unknown {
  if (!isObject(body) || body["integration"] !== "n8n") return body;
  const { scrapeOptions } = body;
  return unwrapLocation(isObject(scrapeOptions) ? mergeFormats(body, scrapeOptions) : body);
}
