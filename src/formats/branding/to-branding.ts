// Converts evidence of a page's look to the contract's profile. Pure: the same evidence gives the
// same bytes.
import type { BrandingEvidence } from "../../branding-evidence.ts";
import type { Branding } from "../../contract/page/branding.ts";
import { findIcons, findPersonality, findTone } from "./tone.ts";
import { findColors, writeColors } from "./colors.ts";
import { findComponents, writeRadius } from "./components.ts";
import { findBrandName, findImages } from "./images.ts";
import { readLooks } from "./looks.ts";
import { findAnimations, findLayout, findSpacing } from "./spacing.ts";
import { findFonts, findTypography, sortTexts } from "./typography.ts";

/** Returns the branding profile of a page. Missing values are omitted, never null. */
export function toBranding(evidence: BrandingEvidence): Branding {
  const looks = readLooks(evidence);
  const colors = findColors(evidence, looks);
  const texts = sortTexts(looks);
  const images = findImages(evidence);
  const name = findBrandName(evidence);
  const spacing = findSpacing(looks);
  const components = findComponents(evidence, looks, colors);
  const radius = components.buttonPrimary?.borderRadius ?? spacing.borderRadius ?? writeRadius([]);
  return {
    colorScheme: colors.scheme,
    ...(name === undefined ? {} : { brandName: name }),
    ...(images.logo === undefined ? {} : { logo: images.logo }),
    fonts: findFonts(texts),
    colors: writeColors(colors),
    typography: findTypography(texts),
    spacing,
    components,
    icons: findIcons(looks),
    images,
    animations: findAnimations(looks),
    layout: findLayout(evidence, looks),
    tone: findTone(evidence),
    personality: findPersonality(evidence, colors, radius),
  };
}
