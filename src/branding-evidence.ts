// Design of a page as a browser observed it: the input of the branding format, plain and bounded.
// Neither the page nor its renderer is trusted, so everything passes this schema.
import { z } from "zod";

const short = z.string().max(120);
const name = z.string().max(300);
const value = z.string().max(600);
const address = z.string().max(4000);
const pixels = z.number().min(-1e7).max(1e7);
const sides = z.tuple([pixels, pixels, pixels, pixels]);

/**
 * Computed values in the browser's spelling; lengths in CSS pixels; sides and corners clockwise
 * from the top (left).
 */
const styleSchema = z.object({
  color: short,
  background: short,
  /** Gradient or image, "none" without. */
  backgroundImage: value,
  borderColor: short,
  /** Width of the widest visible side. */
  borderWidth: pixels,
  corners: z.array(short).length(4),
  fontFamily: value,
  fontSize: pixels,
  fontWeight: pixels,
  lineHeight: short,
  letterSpacing: short,
  padding: sides,
  margin: sides,
  shadow: value,
  underlined: z.boolean(),
  display: short,
  gap: short,
  columns: z.number().int().min(0).max(1000),
  maxWidth: short,
  transition: value,
  easing: value,
  fill: short,
  stroke: short,
});

const elementSchema = z.object({
  tag: short,
  /** The `class` attribute. */
  classes: name,
  id: short,
  role: short,
  /** The `type` attribute; "invalid" for a field with aria-invalid. */
  type: short,
  /** Start of its own text, without its children's. */
  text: short,
  textLength: z.number().int().min(0),
  /** Left, top, width, height in the document. */
  box: sides,
  style: z.number().int().min(0),
  /** Index of the nearest sampled ancestor, which always comes before; -1 without one. */
  parent: z.number().int().min(-1),
  /** In the header, the navigation, the footer or elsewhere. */
  region: z.enum(["header", "nav", "footer", "page"]),
});

const ruleSchema = z.object({
  selector: name,
  declarations: z.array(z.tuple([short, value])).max(40),
});

const logoSchema = z.object({
  kind: z.enum(["image", "svg", "background"]),
  /** Absolute; "" for an inline drawing. */
  source: address,
  alt: name,
  /** Class names, ids and file names of the element and its three ancestors. */
  words: value,
  /** Absolute target of the nearest link; "" without. */
  href: address,
  box: sides,
  region: z.enum(["header", "nav", "footer", "page"]),
  /** Markup of an inline drawing without scripts; "" when too large. */
  markup: z.string().max(60_000),
});

export const brandingEvidenceSchema = z.object({
  url: address,
  viewport: z.object({ width: pixels, height: pixels }),
  documentHeight: pixels,
  /** The `color-scheme` property of the root. */
  colorScheme: short,
  rootWords: name,
  title: name,
  elements: z.array(elementSchema).max(4000),
  styles: z.array(styleSchema).max(4000),
  /** Custom properties of the root, the body and page wrappers, with `var()` resolved. */
  variables: z.array(z.tuple([short, value])).max(4000),
  /** Stylesheet rules for a class, state or type: colors and sizes only. */
  rules: z.array(ruleSchema).max(4000),
  fontFaces: z
    .array(z.object({ family: name, weight: short, style: short, status: short }))
    .max(300),
  logos: z.array(logoSchema).max(40),
  /** `<link>` elements of icons. */
  icons: z.array(z.object({ rel: short, href: address, sizes: short, type: short })).max(40),
  /** `<meta>` elements by name or property. */
  metas: z.array(z.tuple([short, address])).max(80),
  linkedData: z.array(z.string().max(60_000)).max(6),
});

export type BrandingEvidence = z.output<typeof brandingEvidenceSchema>;
export type EvidenceStyle = z.output<typeof styleSchema>;
export type EvidenceElement = z.output<typeof elementSchema>;
export type EvidenceLogo = z.output<typeof logoSchema>;
