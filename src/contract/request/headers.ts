import { z } from "zod";

/** RFC 9110, section 5.1: a field name is a token. */
const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/**
 * RFC 9110, section 5.5: no control characters except tab, which also prevents header injection.
 */
// oxlint-disable-next-line no-control-regex
const VALUE = /^[^\u0000-\u0008\u000a-\u001f\u007f]*$/;

const entriesSchema = z.array(z.strictObject({ key: z.string(), value: z.string() })).max(100);

type Entry = { readonly key: string; readonly value: string };

/**
 * A form-based client sends one header as {key, value}; no other client sends two headers with
 * those names.
 */
function isEntry(headers: Record<string, string>): headers is Entry & Record<string, string> {
  const names = Object.keys(headers);
  return names.length === 2 && "key" in headers && "value" in headers;
}

const toRecord = (entries: readonly Entry[]): Record<string, string> =>
  Object.fromEntries(entries.map((entry): [string, string] => [entry.key, entry.value]));

/**
 * HTTP headers as name to value. A `{key, value}` entry or a list of them is also accepted. The
 * last of repeated names wins; entries without a name are dropped.
 */
export const headersSchema = z
  .union([z.record(z.string(), z.string()), entriesSchema])
  .transform((given) => {
    const entries = Array.isArray(given) ? given : isEntry(given) ? [given] : undefined;
    if (entries === undefined) return given as Record<string, string>;
    return toRecord(entries.filter((entry) => entry.key !== ""));
  })
  .superRefine((headers, context) => {
    for (const [name, value] of Object.entries(headers)) {
      if (NAME.test(name) && VALUE.test(value)) continue;
      context.addIssue({
        code: "custom",
        path: [name],
        message: `headers: ${JSON.stringify(name.slice(0, 100))} is not a header that can be sent`,
      });
    }
  })
  .meta({ description: "Headers by name; a list of {key, value} entries is accepted too." });
