// Finds spacing: the base unit of paddings and margins, radii, grid and bars, animations.
import type { BrandingEvidence } from "../../branding-evidence.ts";
import type { Branding } from "../../contract/page/branding.ts";
import { writeRadius } from "./components.ts";
import type { Look } from "./looks.ts";
import { findCommonest } from "./typography.ts";

const UNITS = [16, 12, 10, 8, 6, 5, 4] as const;

export function findSpacing(looks: readonly Look[]): NonNullable<Branding["spacing"]> {
  const gaps = looks.flatMap(({ style }) =>
    [...style.padding, ...style.margin].filter((side) => side >= 4 && side <= 160),
  );
  const rounded = looks.filter(
    ({ style, fill, part }) =>
      (part === "button" || part === "input" || fill !== undefined || style.borderWidth > 0) &&
      style.corners.some((corner) => Number.parseFloat(corner) > 0) &&
      !/%/.test(style.corners.join()) &&
      Number.parseFloat(style.corners[0] ?? "0") < 100,
  );
  const boxes = looks.filter(
    ({ part, fill }) => part === "button" || part === "input" || fill !== undefined,
  );
  const radius =
    rounded.length * 4 < boxes.length
      ? "0px"
      : findMode(rounded, ({ style }) => writeRadius(style.corners));
  const gutter = findMode(looks, ({ style }) =>
    style.columns > 1 || /flex/.test(style.display) ? parsePositive(style.gap) : undefined,
  );
  return {
    baseUnit: findUnit(gaps),
    borderRadius: radius ?? "0px",
    padding: readBoxes(looks, "padding"),
    margins: readBoxes(looks, "margin"),
    ...(gutter === undefined ? {} : { gridGutter: gutter }),
  };
}

function parsePositive(text: string): number | undefined {
  const number = Number.parseFloat(text);
  return number > 0 ? number : undefined;
}

/** Returns the most frequent value; on a tie, the first one. */
function findMode<Value>(
  looks: readonly Look[],
  read: (look: Look) => Value | undefined,
): Value | undefined {
  const counts = new Map<Value, number>();
  for (const look of looks) {
    const value = read(look);
    if (value !== undefined) counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return [...counts].toSorted((a, b) => b[1] - a[1])[0]?.[0];
}

/**
 * Returns the largest unit that divides three of four distances within half a pixel, or 4 if none
 * does.
 */
export function findUnit(distances: readonly number[]): number {
  const fits = (unit: number): number =>
    distances.filter((distance) => {
      const rest = distance % unit;
      return Math.min(rest, unit - rest) <= 0.5;
    }).length;
  return UNITS.find((unit) => distances.length > 0 && fits(unit) >= distances.length * 0.75) ?? 4;
}

function readBoxes(looks: readonly Look[], kind: "padding" | "margin"): Record<string, string> {
  const groups: readonly (readonly [string, readonly Look[]])[] = [
    ["button", looks.filter(({ part }) => part === "button")],
    ["input", looks.filter(({ part }) => part === "input")],
    ["heading", looks.filter(({ part }) => part === "heading")],
    ["paragraph", looks.filter(({ element }) => element.tag === "p")],
    ["section", looks.filter(({ element }) => /^(?:section|main|article)$/.test(element.tag))],
    ["card", looks.filter(({ element }) => /(?:^|[\s_-])card(?:$|[\s_-])/i.test(element.classes))],
  ];
  const found: Record<string, string> = {};
  for (const [name, group] of groups) {
    const sides = findMode(group, ({ style }) => writeSides(style[kind]));
    if (sides !== undefined && sides !== "0px") found[name] = sides;
  }
  return found;
}

/** Formats CSS shorthand: one value for equal sides, two for equal pairs. */
function writeSides([top, right, bottom, left]: readonly [number, number, number, number]): string {
  const write = (value: number): string => `${Math.round(value * 100) / 100}px`;
  if (top === bottom && left === right) {
    return top === left ? write(top) : `${write(top)} ${write(right)}`;
  }
  return [top, right, bottom, left].map(write).join(" ");
}

export function findLayout(
  evidence: BrandingEvidence,
  looks: readonly Look[],
): Record<string, unknown> {
  const { width } = evidence.viewport;
  const columns = looks.reduce((max, { style }) => Math.max(max, style.columns), 0);
  const centered = findMode(looks, ({ style, element: { box } }) => {
    const limit = parsePositive(style.maxWidth);
    const framed = limit !== undefined && style.maxWidth.endsWith("px") && box[2] > width * 0.4;
    return framed && Math.abs(box[0] * 2 + box[2] - width) < 40 ? limit : undefined;
  });
  const findHeight = (region: "header" | "footer"): number | undefined =>
    looks.find(({ element }) => element.region === region && element.box[2] > width * 0.6)?.element
      .box[3];
  const bar = looks.find(
    ({ element: { tag, box } }) => tag === "nav" && box[1] < 80 && box[2] > width * 0.6,
  );
  const header = bar?.element.box[3] ?? findHeight("header");
  const footer = findHeight("footer");
  const grid = {
    ...(columns > 1 ? { columns } : {}),
    ...(centered === undefined ? {} : { maxWidth: `${centered}px` }),
  };
  return {
    ...(Object.keys(grid).length > 0 ? { grid } : {}),
    ...(header === undefined ? {} : { headerHeight: `${header}px` }),
    ...(footer === undefined ? {} : { footerHeight: `${footer}px` }),
  };
}

/** Returns duration and easing of transitions on buttons and links. */
export function findAnimations(looks: readonly Look[]): Record<string, string> {
  const pressed = looks.filter(
    ({ part }) => part === "button" || part === "link" || part === "input",
  );
  const moving = pressed.filter(({ style }) => Number.parseFloat(style.transition) > 0);
  const duration = findCommonest(moving, ({ style }) => {
    const seconds = Number.parseFloat(style.transition);
    return Number.isFinite(seconds) ? `${Math.round(seconds * 1000)}ms` : undefined;
  });
  const easing = findCommonest(
    moving,
    ({ style }) => /^(?:[a-z-]+|cubic-bezier\([^)]*\)|steps\([^)]*\))/.exec(style.easing)?.[0],
  );
  return {
    ...(duration === undefined ? {} : { transitionDuration: duration }),
    ...(easing === undefined ? {} : { easing }),
  };
}
