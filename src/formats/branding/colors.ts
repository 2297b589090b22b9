import type { BrandingEvidence } from "../../branding-evidence.ts";
import { findBrandColors, type Scene } from "./brand-colors.ts";
import { type Color, toHex } from "./color.ts";
import {
  findBackground,
  findLinkColor,
  findQuietTextColor,
  findTextColor,
  isDark,
} from "./base-colors.ts";
import type { Look } from "./looks.ts";
import { ROLES, type Role } from "./role-names.ts";
import { findStateColors } from "./state-colors.ts";
import { readNamedColors, readRuleColors } from "./theme.ts";

export type PageColors = {
  readonly scheme: "light" | "dark";
  readonly roles: Readonly<Partial<Record<Role, Color>>>;
};

/** Returns the color of each role that the page defines, and whether the page is light or dark. */
export function findColors(evidence: BrandingEvidence, looks: readonly Look[]): PageColors {
  const background = findBackground(evidence, looks);
  const textPrimary = findTextColor(looks, background);
  const named = readNamedColors(evidence.variables);
  const rules = readRuleColors(evidence);
  const scene: Scene = { evidence, looks, named, rules, background, text: textPrimary };
  const states = findStateColors(scene);
  const link = findLinkColor(looks, named, textPrimary);
  const brand = findBrandColors(scene, Object.values(states), link);
  const found: Partial<Record<Role, Color | undefined>> = {
    ...brand,
    background,
    textPrimary,
    textSecondary: findQuietTextColor(looks, named, background, textPrimary),
    link: link ?? brand.primary,
    ...states,
  };
  const roles: Partial<Record<Role, Color>> = {};
  for (const role of ROLES) {
    const color = found[role];
    if (color !== undefined) roles[role] = color;
  }
  return { scheme: isDark(background) ? "dark" : "light", roles };
}

/** Returns `#RRGGBB` by role, in the contract's order. */
export function writeColors({ roles }: PageColors): Record<string, string> {
  return Object.fromEntries(
    ROLES.flatMap((role) => {
      const color = roles[role];
      return color === undefined ? [] : [[role, toHex(color)]];
    }),
  );
}
