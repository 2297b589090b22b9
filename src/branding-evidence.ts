// What a browser saw of a page's looks: the input of the branding format, plain and bounded. The page is not trusted,
// nor is the process that renders it: whatever comes out of it passes this schema.
import { z } from "zod";

const short = z.string().max(120);
const name = z.string().max(300);
const value = z.string().max(600);
const address = z.string().max(4000);
const pixels = z.number().min(-1e7).max(1e7);
const sides = z.tuple([pixels, pixels, pixels, pixels]);

/** Computed values as the browser spells them; lengths in CSS pixels; sides and corners clockwise from the top (left). */
const styleSchema = z.object({
  color: short,
  background: short,
  /** Gradient or image, "none" without. */
  backgroundImage: value,
  borderColor: short,
  /** Of the widest side that is drawn. */
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
  /** Of the `class` attribute. */
  classes: name,
  id: short,
  role: short,
  /** The `type` attribute; "invalid" of a field with aria-invalid. */
  type: short,
  /** Start of its own text, without that of its children. */
  text: short,
  textLength: z.number().int().min(0),
  /** Left, top, width, height in the document. */
  box: sides,
  style: z.number().int().min(0),
  /** Index of the nearest sampled ancestor, which always comes before; -1 without one. */
  parent: z.number().int().min(-1),
  /** In the header, the navigation, the footer or the rest. */
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
  /** Class names, ids and file name of the element and of the three around it. */
  words: value,
  /** Where the nearest link leads, absolute; "" without. */
  href: address,
  box: sides,
  region: z.enum(["header", "nav", "footer", "page"]),
  /** Of an inline drawing, cleaned of scripts; "" when too large. */
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
  /** Custom properties of the root, the body and wrappers around the page, with `var()` substituted. */
  variables: z.array(z.tuple([short, value])).max(4000),
  /** Those that a stylesheet gives elements of some class, state or kind: colours and sizes only. */
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
