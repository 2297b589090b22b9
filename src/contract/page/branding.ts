// The reply of the branding format. The string maps contain no nulls, because published clients
// reject them.
import { z } from "zod";

const texts = z.record(z.string(), z.string());
const maybeText = z.string().nullable().optional();
const text = z.string().optional();

const buttonSchema = z.looseObject({
  background: text,
  textColor: text,
  borderColor: text,
  borderRadius: text,
  borderRadiusCorners: texts.optional(),
  shadow: text,
});

export const brandingSchema = z.looseObject({
  colorScheme: z.enum(["light", "dark"]).optional(),
  brandName: text,
  logo: maybeText.describe("An http(s) URL or a data:image/svg+xml URL."),
  fonts: z.array(z.looseObject({ family: z.string(), role: text })).optional(),
  colors: texts
    .optional()
    .describe(
      "#RRGGBB by role: primary, secondary, accent, background, textPrimary, textSecondary, link, success, warning, error.",
    ),
  typography: z
    .looseObject({
      fontFamilies: texts.optional(),
      fontStacks: z.record(z.string(), z.array(z.string())).optional(),
      fontSizes: texts.optional(),
      fontWeights: z.record(z.string(), z.number()).optional(),
      lineHeights: z.record(z.string(), z.number()).optional(),
    })
    .optional(),
  spacing: z
    .looseObject({
      baseUnit: z.number().optional(),
      borderRadius: text,
      padding: z.record(z.string(), z.unknown()).optional(),
      margins: z.record(z.string(), z.unknown()).optional(),
      gridGutter: z.number().optional(),
    })
    .optional(),
  components: z
    .looseObject({
      buttonPrimary: buttonSchema.optional(),
      buttonSecondary: buttonSchema.optional(),
      input: buttonSchema.extend({ focusBorderColor: text }).optional(),
    })
    .optional(),
  icons: texts.optional(),
  images: z
    .looseObject({
      logo: maybeText,
      logoHref: maybeText,
      logoAlt: maybeText,
      favicon: maybeText,
      ogImage: maybeText,
    })
    .optional(),
  animations: texts.optional(),
  layout: z.record(z.string(), z.unknown()).optional(),
  tone: texts.optional(),
  personality: z
    .looseObject({
      tone: z.enum(["professional", "playful", "modern", "traditional", "minimalist", "bold"]),
      energy: z.enum(["low", "medium", "high"]),
      targetAudience: z.string(),
    })
    .optional(),
});

export type Branding = z.output<typeof brandingSchema>;
