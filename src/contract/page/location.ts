import { z } from "zod";
import { COUNTRY_CODES } from "./countries.ts";

export const countrySchema = z
  .string()
  .refine((code) => COUNTRY_CODES.has(code.toLowerCase()), {
    message: "Invalid country code. Use an ISO 3166-1 alpha-2 code such as US or DE.",
  })
  .transform((code) => code.toLowerCase())
  .meta({ description: "ISO 3166-1 alpha-2 country code, in any case.", examples: ["US"] });

/** Location to emulate; the country is stored in lower case. */
export const locationSchema = z
  .strictObject({
    country: countrySchema.prefault("US"),
    languages: z
      .array(
        z
          .string()
          .max(64)
          .regex(
            /^(?:\*|[A-Za-z0-9]+(?:[-_][A-Za-z0-9]+)*)$/,
            "must be a language tag such as de or en-US",
          ),
      )
      .max(50)
      .optional()
      .describe("Language tags in order of preference, such as en-US."),
  })
  .describe(
    "Country and languages to emulate: proxy if one is configured, language header and time zone.",
  );
