// Finds primary, secondary and accent colors: names, weighed against the actual use of colors on
// the page.
import type { BrandingEvidence } from "../../branding-evidence.ts";
import {
  type Color,
  compositeOver,
  measureDistance,
  parseColor,
  toHex,
  toPerceived,
} from "./color.ts";
import type { Look } from "./looks.ts";
import { findClassRole, type Role, type Use } from "./role-names.ts";
import type { NamedColor, RuleColor } from "./theme.ts";
import { Ballot, isSame, type Tally } from "./votes.ts";

export type Scene = {
  readonly evidence: BrandingEvidence;
  readonly looks: readonly Look[];
  readonly named: readonly NamedColor[];
  readonly rules: readonly RuleColor[];
  readonly background: Color;
  readonly text: Color;
};

/** Framework defaults: named in the page, but not a choice of the site unless it uses them. */
const STOCK = new Set([
  "#0D6EFD",
  "#6C757D",
  "#007BFF",
  "#32373C",
  "#0693E3",
  "#3880FF",
  "#409EFF",
]);

const NAME_WEIGHT = 10;

/** Adds the votes of variables, classes and rules for a role. */
export function voteByName(scene: Scene, role: Role, ballot: Ballot): void {
  for (const { color, strength, role: meant } of scene.named) {
    if (meant !== role) continue;
    const seen = compositeOver(color, scene.background);
    const used = isUsed(scene.looks, seen);
    const stock = STOCK.has(toHex(seen)) ? 0.05 : 0.5;
    ballot.add(seen, NAME_WEIGHT * strength * (used ? 1 : stock), "variable");
  }
  for (const look of scene.looks) {
    for (const name of look.element.classes.split(/\s+/)) {
      const meant = findClassRole(name);
      if (meant?.role !== role) continue;
      const { color, weight } = readUseColor(look, meant.use);
      ballot.add(color, weight * meant.strength, `class ${meant.use}`);
    }
  }
  for (const { role: meant, use, color, direct, strength, selector } of scene.rules) {
    if (meant !== role) continue;
    const seen = compositeOver(color, scene.background);
    const stock = STOCK.has(toHex(seen)) && !isUsed(scene.looks, seen) ? 0.3 : 1;
    const weight = (use === "fill" ? 3 : use === "text" ? 1.5 : 1) * (direct ? 1 : 0.6);
    ballot.add(seen, weight * strength * stock, `rule ${use} ${selector}`);
  }
}

const isUsed = (looks: readonly Look[], color: Color): boolean =>
  looks.some(
    (look) =>
      (look.fill !== undefined && isSame(look.fill, color)) ||
      (look.border !== undefined && isSame(look.border, color)) ||
      (look.element.textLength > 0 && isSame(look.color, color)) ||
      look.gradient.some((stop) => isSame(stop, color)),
  );

/** Returns the color of an element for this use of a class, and its weight. */
function readUseColor(look: Look, use: Use): { color: Color | undefined; weight: number } {
  switch (use) {
    case "fill":
      return { color: look.fill, weight: 6 };
    case "text":
      return { color: look.element.textLength > 0 ? look.color : undefined, weight: 4 };
    case "border":
      return { color: look.part === "button" ? look.color : look.border, weight: 3 };
    case "tint": {
      const strong = look.fill !== undefined && toPerceived(look.fill).chroma > 0.1;
      return strong
        ? { color: look.fill, weight: 4 }
        : { color: findStrongest([look.border, look.color]), weight: 1 };
    }
    case "any":
      return look.fill === undefined
        ? { color: look.element.textLength > 0 ? look.color : undefined, weight: 2 }
        : { color: look.fill, weight: look.part === "button" ? 6 : 3 };
  }
}

export const findStrongest = (colors: readonly (Color | undefined)[]): Color | undefined =>
  colors
    .filter((color) => color !== undefined)
    .toSorted((a, b) => toPerceived(b).chroma - toPerceived(a).chroma)[0];

export const isColorful = (color: Color): boolean => toPerceived(color).chroma > 0.04;

/**
 * Adds votes for uses of a brand color: filled buttons above all, then bars, links, sections and
 * theme-color.
 */
export function voteByUse(scene: Scene, ballot: Ballot, states: readonly Color[]): void {
  const { looks, background, text } = scene;
  for (const { color, weight } of countButtonFills(scene, states))
    ballot.add(color, weight, "button");
  for (const look of looks) {
    const { fill, element } = look;
    const written = look.part === "link" && element.textLength > 0;
    const plain = measureDistance(look.surface, background) < 0.12;
    if (written && plain && isColorful(look.color) && measureDistance(look.color, text) > 0.1) {
      ballot.add(look.color, 1.5, "link");
    }
    if (fill === undefined || measureDistance(fill, background) < 0.08 || !isColorful(fill))
      continue;
    const wide = element.box[2] > scene.evidence.viewport.width * 0.7;
    if (wide && element.region !== "page") ballot.add(fill, 2.5, "bar");
    else if (wide && look.area > 60_000) ballot.add(fill, 1.5, "section");
  }
  for (const [name, content] of scene.evidence.metas) {
    if (name !== "theme-color" && name !== "msapplication-tilecolor") continue;
    const color = parseColor(content);
    if (color !== undefined && isColorful(color)) ballot.add(color, 1.5, "meta");
  }
  for (const { region, box, markup } of scene.evidence.logos) {
    if (region === "footer" || box[1] > 200 || markup === "") continue;
    for (const [, paint = ""] of markup.matchAll(/(?:fill|stroke)="(#[\da-f]{3,8})"/gi)) {
      const color = parseColor(paint);
      if (color !== undefined && isColorful(color)) ballot.add(color, 1, "logo");
    }
  }
}

/**
 * Counts filled buttons by color, at most 6, weighted by share. Buttons in the first screen and
 * larger ones count more.
 */
export function countButtonFills(scene: Scene, states: readonly Color[]): Tally[] {
  const { looks, background, evidence } = scene;
  const ballot = new Map<string, { color: Color; weight: number }>();
  for (const look of looks) {
    if (look.part !== "button") continue;
    const fill = look.gradient[0] ?? look.fill;
    if (fill === undefined || measureDistance(fill, look.behind) < 0.06) continue;
    if (measureDistance(fill, background) < 0.06 || states.some((state) => isSame(state, fill)))
      continue;
    const early = look.element.box[1] < evidence.viewport.height ? 1.5 : 1;
    const size = Math.min(2, Math.sqrt(look.area / 4000));
    const vivid = isColorful(fill) ? 1 : 0.4;
    const key = toHex(fill);
    const entry = ballot.get(key) ?? { color: fill, weight: 0 };
    entry.weight += early * size * vivid;
    ballot.set(key, entry);
  }
  const all = [...ballot.values()].reduce((sum, { weight }) => sum + weight, 0);
  return [...ballot.values()]
    .map(({ color, weight }) => ({ color, weight: (6 * weight) / all }))
    .toSorted((a, b) => b.weight - a.weight || (toHex(a.color) < toHex(b.color) ? -1 : 1));
}

export type BrandColors = {
  readonly primary: Color | undefined;
  readonly secondary: Color | undefined;
  readonly accent: Color | undefined;
};

/**
 * Finds the three brand colors by name and use. A role without votes takes the next best color of
 * the page.
 */
export function findBrandColors(
  scene: Scene,
  states: readonly Color[],
  link: Color | undefined,
): BrandColors {
  const first = new Ballot();
  voteByName(scene, "primary", first);
  voteByUse(scene, first, states);
  const primary = first.findWinner() ?? findFirstDifferent([link], []);
  const second = new Ballot();
  voteByName(scene, "secondary", second);
  const others = new Ballot();
  voteByUse(scene, others, states);
  for (const { color, weight } of others.count()) {
    if (primary === undefined || measureDistance(color, primary) > 0.08) {
      second.add(color, weight * 0.5, "use");
    }
  }
  second.add(findSecondButton(scene, primary), 1.5, "second button");
  for (const { fill, element } of scene.looks) {
    const bar = element.region !== "page" && element.box[2] > scene.evidence.viewport.width * 0.7;
    if (bar && fill !== undefined && measureDistance(fill, scene.background) > 0.3) {
      if (primary === undefined || !isSame(fill, primary)) second.add(fill, 1, "bar");
    }
  }
  const secondary = second.findWinner() ?? scene.text;
  const third = new Ballot();
  voteByName(scene, "accent", third);
  const taken = [primary, secondary].filter((color) => color !== undefined);
  for (const { color, weight } of others.count()) {
    if (taken.every((one) => measureDistance(color, one) > 0.08))
      third.add(color, weight * 0.5, "use");
  }
  const vivid = link !== undefined && isColorful(link) ? link : undefined;
  return { primary, secondary, accent: third.findWinner() ?? vivid ?? primary };
}

const findFirstDifferent = (
  colors: readonly (Color | undefined)[],
  taken: readonly Color[],
): Color | undefined =>
  colors.find((color) => color !== undefined && taken.every((one) => !isSame(one, color)));

/** Returns the fill or border color of the most common non-primary button. */
function findSecondButton({ looks }: Scene, primary: Color | undefined): Color | undefined {
  const ballot = new Ballot();
  for (const look of looks) {
    if (look.part !== "button") continue;
    const color = look.fill ?? look.border;
    if (color === undefined || measureDistance(color, look.behind) < 0.06) continue;
    if (primary !== undefined && isSame(color, primary)) continue;
    ballot.add(color, look.fill === undefined ? 1 : 2, "button");
  }
  return ballot.findWinner();
}
