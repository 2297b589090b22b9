// Replies of the product and menu formats.
import { z } from "zod";

const text = z.string().optional();
const priceSchema = z.looseObject({ amount: z.number(), currency: text, formatted: text });
const availabilitySchema = z.looseObject({ inStock: z.boolean(), text });
const imageSchema = z.looseObject({ url: z.string(), alt: text });

export const productSchema = z.looseObject({
  title: z.string(),
  url: z.string(),
  brand: text,
  category: text,
  description: text,
  variants: z.array(
    z.looseObject({
      id: text,
      sku: text,
      title: text,
      values: z.record(z.string(), z.unknown()).optional(),
      price: priceSchema.optional(),
      sale: z.looseObject({ originalPrice: priceSchema }).optional(),
      availability: availabilitySchema,
      images: z.array(imageSchema).optional(),
    }),
  ),
});

const menuItemSchema = z.looseObject({
  id: z.string(),
  name: z.string(),
  description: text,
  images: z.array(imageSchema),
  price: priceSchema.optional(),
  availability: availabilitySchema,
  dietary: z.array(z.string()),
  calories: z.number().optional(),
  optionGroups: z.array(z.unknown()),
  identifiers: z.looseObject({ merchantItemId: text }),
  url: text,
  sourceUrl: z.string(),
});

export const menuSchema = z.looseObject({
  isMenu: z.boolean(),
  confidence: z.number().min(0).max(1),
  merchant: z.looseObject({
    name: z.string(),
    type: z.string().nullable().optional(),
    location: z.unknown().optional(),
  }),
  currency: z.string().nullable().optional(),
  sections: z.array(
    z.looseObject({
      id: z.string(),
      name: z.string(),
      description: text,
      items: z.array(menuItemSchema),
    }),
  ),
  sourceUrl: z.string(),
});

export type Product = z.output<typeof productSchema>;
export type Menu = z.output<typeof menuSchema>;
