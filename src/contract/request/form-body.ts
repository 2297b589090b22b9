// Bodies of a client that is a form: n8n's node sends the state of its form's groups beside what the groups mean.
import { isObject } from "../../runtime/is-object.ts";

type Fields = Readonly<Record<string, unknown>>;

function omit(fields: Fields, name: string): Fields {
  const { [name]: _left, ...rest } = fields;
  return rest;
}

/** The group of the form is named `settings`; country and languages stand beside it as well. */
function unwrapLocation(fields: Fields): Fields {
  const { location } = fields;
  if (!isObject(location) || !isObject(location["settings"])) return fields;
  return {
    ...fields,
    location: { country: location["settings"]["country"], ...omit(location, "settings") },
  };
}

/** Formats of crawl and extract stand beside scrapeOptions, and inside of it as the form's list. */
function placeFormats(body: Fields, scrapeOptions: Fields): Fields {
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
 * A body as the contract describes it. Only what n8n's node (`integration: "n8n"`) sends is changed: `location.settings` is
 * unwrapped, and `formats` beside `scrapeOptions` go into it.
 */
export function toPlainBody(body: unknown): unknown {
  if (!isObject(body) || body["integration"] !== "n8n") return body;
  const { scrapeOptions } = body;
  return unwrapLocation(isObject(scrapeOptions) ? placeFormats(body, scrapeOptions) : body);
}
