import { z } from "zod";

/** RFC 9110, section 5.1: a field name is a token. */
const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** RFC 9110, section 5.5: no control characters but tab; this also keeps a value from starting a new header. */
// oxlint-disable-next-line no-control-regex
const VALUE = /^[^\u0000-\u0008\u000a-\u001f\u007f]*$/;

const entriesSchema = z.array(z.strictObject({ key: z.string(), value: z.string() })).max(100);

/**
 * HTTP headers as name to value. A list of `{key, value}` entries is accepted too and becomes the same record,
 * a repeated name keeping the last value.
 */
export const headersSchema = z
  .union([z.record(z.string(), z.string()), entriesSchema])
  .transform((given) =>
    Array.isArray(given)
      ? Object.fromEntries(given.map((entry): [string, string] => [entry.key, entry.value]))
      : given,
  )
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
