// Finds the page background and the colors of text and links.
import type { BrandingEvidence } from "../../branding-evidence.ts";
import {
  type Color,
  compositeOver,
  computeContrast,
  measureDistance,
  toPerceived,
} from "./color.ts";
import type { Look } from "./looks.ts";
import { splitName } from "./role-names.ts";
import type { NamedColor } from "./theme.ts";
import { Ballot, isSame } from "./votes.ts";

const GRID_COLUMNS = 24;
const GRID_ROWS = 40;
/** Only the first screens count; content further down matters less for the look. */
const MAX_SCREENS = 3;

/**
 * Returns the color that covers most of the first screens if the body's own is hardly visible,
 * else the body's.
 */
export function findBackground(evidence: BrandingEvidence, looks: readonly Look[]): Color {
  const body = looks.findLast(({ element }) => element.tag === "body" || element.tag === "html");
  const own = body?.surface ?? { red: 255, green: 255, blue: 255, alpha: 1 };
  const { width, height } = evidence.viewport;
  const depth = Math.min(Math.max(height, evidence.documentHeight), height * MAX_SCREENS);
  const painted = looks.filter(({ fill, area }) => fill !== undefined && area > 2000);
  const seen = new Ballot();
  const shares = new Map<string, { color: Color; points: number }>();
  for (let point = 0; point < GRID_COLUMNS * GRID_ROWS; point += 1) {
    const x = ((point % GRID_COLUMNS) + 0.5) * (width / GRID_COLUMNS);
    const y = (Math.floor(point / GRID_COLUMNS) + 0.5) * (depth / GRID_ROWS);
    const top = painted.findLast(({ element: { box } }) => holds(box, x, y));
    const color = top?.surface ?? own;
    const key = JSON.stringify(color);
    const share = shares.get(key) ?? { color, points: 0 };
    share.points += 1;
    shares.set(key, share);
  }
  for (const { color, points } of shares.values()) seen.add(color, points, "point");
  const counted = seen.count();
  const max = counted[0];
  if (max === undefined) return own;
  const ofOwn = counted.find(({ color }) => isSame(color, own))?.weight ?? 0;
  return ofOwn >= max.weight * 0.25 ? own : max.color;
}

const holds = ([left, top, width, height]: readonly number[], x: number, y: number): boolean =>
  x >= (left ?? 0) &&
  y >= (top ?? 0) &&
  x < (left ?? 0) + (width ?? 0) &&
  y < (top ?? 0) + (height ?? 0);

export const isDark = (color: Color): boolean => toPerceived(color).lightness < 0.55;

/**
 * Returns the color of running text on the background: the body's if it is used, else the most
 * common one.
 */
export function findTextColor(looks: readonly Look[], background: Color): Color {
  const body = looks.find(({ element }) => element.tag === "body");
  const written = new Ballot();
  const lengths = countText(looks, background, ({ part }) => part !== "link" && part !== "button");
  for (const { color, length } of lengths) written.add(color, length, "text");
  const counted = written.count();
  const max = counted[0];
  if (body === undefined) return max?.color ?? { red: 0, green: 0, blue: 0, alpha: 1 };
  const usable = computeContrast(body.color, background) > 1.5;
  const ofBody = counted.find(({ color }) => isSame(color, body.color))?.weight ?? 0;
  if (max === undefined) return body.color;
  return usable && ofBody >= max.weight * 0.2 ? body.color : max.color;
}

type WrittenColor = { color: Color; length: number };

function countText(
  looks: readonly Look[],
  background: Color,
  wanted: (look: Look) => boolean,
): WrittenColor[] {
  const lengths = new Map<string, WrittenColor>();
  for (const look of looks) {
    if (look.element.textLength === 0 || !wanted(look)) continue;
    if (measureDistance(look.surface, background) > 0.12) continue;
    const key = JSON.stringify(look.color);
    const entry = lengths.get(key) ?? { color: look.color, length: 0 };
    entry.length += Math.min(600, look.element.textLength);
    lengths.set(key, entry);
  }
  return [...lengths.values()];
}

/**
 * Returns the muted text color: by name, or the most common grayish color with less contrast than
 * the text.
 */
export function findQuietTextColor(
  looks: readonly Look[],
  named: readonly NamedColor[],
  background: Color,
  text: Color,
): Color | undefined {
  const ballot = new Ballot();
  const max = computeContrast(text, background);
  for (const { color, length } of countText(looks, background, isPlainText)) {
    const contrast = computeContrast(color, background);
    const gray = toPerceived(color).chroma < Math.max(0.06, toPerceived(text).chroma + 0.03);
    if (gray && contrast > 1.5 && contrast < max * 0.95 && !isSame(color, text)) {
      ballot.add(color, 1 + Math.min(4, length / 40), "seen");
    }
  }
  for (const look of looks) {
    const words = splitName(look.element.classes);
    const quiet =
      words.includes("muted") || (words.includes("text") && words.includes("secondary"));
    const plain = look.fill === undefined && measureDistance(look.surface, background) < 0.12;
    const legible = computeContrast(look.color, background) > 1.5 && !isSame(look.color, text);
    if (quiet && plain && legible && look.element.textLength > 0)
      ballot.add(look.color, 4, "class");
  }
  for (const { role, color, strength } of named) {
    if (role !== "textSecondary") continue;
    const seen = compositeOver(color, background);
    if (!isSame(seen, text)) ballot.add(seen, 4 * strength, "variable");
  }
  return ballot.findWinner();
}

const isPlainText = ({ part }: Look): boolean =>
  part !== "link" && part !== "button" && part !== "input";

/** Returns the color of links in running text, or of any link if there are none. */
export function findLinkColor(
  looks: readonly Look[],
  named: readonly NamedColor[],
  text: Color,
): Color | undefined {
  const ballot = new Ballot();
  for (const look of looks) {
    if (look.part !== "link" || look.element.textLength === 0) continue;
    const parent = looks[look.element.parent];
    const running = look.element.region === "page" && (parent?.element.textLength ?? 0) > 0;
    const different = isSame(look.color, text) ? 0.4 : 1;
    ballot.add(look.color, (running ? 5 : 1) * different, running ? "running" : "any");
  }
  for (const { role, color, strength } of named) {
    if (role === "link") ballot.add(color, 2 * strength, "variable");
  }
  return ballot.findWinner();
}
