// Finds the look of buttons and fields: the most common one of each kind.
import type { BrandingEvidence } from "../../branding-evidence.ts";
import type { Branding } from "../../contract/page/branding.ts";
import { type Color, measureDistance, parseColor, toHex } from "./color.ts";
import type { PageColors } from "./colors.ts";
import type { Look } from "./looks.ts";
import { resolveVariables } from "./theme.ts";
import { isSame } from "./votes.ts";

type Components = NonNullable<Branding["components"]>;
type Button = NonNullable<Components["buttonPrimary"]>;

export function findComponents(
  evidence: BrandingEvidence,
  looks: readonly Look[],
  { roles }: PageColors,
): Components {
  const buttons = looks.filter(({ part }) => part === "button");
  const primary = pickLargest(buttons, (look) => scorePrimary(look, roles.primary));
  const second = pickLargest(buttons, (look) =>
    primary === undefined || isAlike(look, primary) ? 0 : scoreSecondary(look, roles.secondary),
  );
  const input = pickLargest(
    looks.filter(({ part }) => part === "input"),
    ({ style, area }) => (style.borderWidth > 0 ? 2 : 1) * Math.min(area, 20_000),
  );
  const components: Components = {};
  if (primary !== undefined) components.buttonPrimary = describe(primary);
  if (second !== undefined) components.buttonSecondary = describe(second);
  if (input !== undefined) components.input = { ...describe(input), ...findFocus(evidence) };
  return components;
}

function pickLargest(looks: readonly Look[], score: (look: Look) => number): Look | undefined {
  let best: { look: Look; value: number } | undefined;
  for (const look of looks) {
    const value = score(look);
    if (value > 0 && value > (best?.value ?? 0)) best = { look, value };
  }
  return best?.look;
}

const isFilled = ({ fill, behind }: Look): boolean =>
  fill !== undefined && measureDistance(fill, behind) > 0.05;

/** A link that only looks like a button may be a list or menu entry. */
const isPlainLink = ({ element }: Look): boolean =>
  element.tag === "a" && element.role !== "button" && !/btn|button|cta/i.test(element.classes);

const getArea = ({ area }: Look): number => Math.min(1, Math.sqrt(area / 8000));

function scorePrimary(look: Look, primary: Color | undefined): number {
  if (!isFilled(look) || look.fill === undefined) return look.style.borderWidth > 0 ? 0.2 : 0;
  const brand =
    primary !== undefined &&
    (isSame(look.fill, primary) || look.gradient.some((stop) => isSame(stop, primary)));
  return (brand ? 10 : 1) + (isPlainLink(look) ? 0 : 2) + getArea(look);
}

function scoreSecondary(look: Look, secondary: Color | undefined): number {
  const framed = look.style.borderWidth > 0 && look.border !== undefined;
  if (!isFilled(look) && !framed) return 0;
  const named = secondary !== undefined && look.fill !== undefined && isSame(look.fill, secondary);
  return (named ? 4 : 1) + (isPlainLink(look) ? 0 : 2) + getArea(look);
}

const isAlike = (one: Look, other: Look): boolean =>
  one.fill === undefined || other.fill === undefined
    ? one.fill === other.fill
    : isSame(one.fill, other.fill);

/** Returns "8px" for equal corners, otherwise all four. */
export function writeRadius(corners: readonly string[]): string {
  const [first = "0px"] = corners;
  return corners.every((corner) => corner === first) ? first : corners.join(" ");
}

function describe(look: Look): Button {
  const { style, fill, surface, border, color } = look;
  const [topLeft = "0px", topRight = "0px", bottomRight = "0px", bottomLeft = "0px"] =
    style.corners;
  return {
    background: toHex(fill ?? surface),
    textColor: toHex(color),
    ...(border === undefined ? {} : { borderColor: toHex(border) }),
    borderRadius: writeRadius(style.corners),
    borderRadiusCorners: { topLeft, topRight, bottomRight, bottomLeft },
    shadow: style.shadow === "" ? "none" : style.shadow,
  };
}

/** Returns the border or ring that a stylesheet gives a focused field. */
function findFocus(evidence: BrandingEvidence): { focusBorderColor?: string } {
  const root = new Map(evidence.variables);
  const fields = /(?:input|textarea|select|form-control|field|control)[^,]*:focus/i;
  for (const { selector, declarations } of evidence.rules.toReversed()) {
    if (
      !fields.test(selector) ||
      /invalid|valid|error|checkbox|radio|check|range/i.test(selector)
    ) {
      continue;
    }
    const own = new Map([...root, ...declarations]);
    for (const property of ["border-color", "border-top-color", "outline-color"]) {
      const value = own.get(property);
      const color = value === undefined ? undefined : parseColor(resolveVariables(value, own));
      if (color !== undefined && color.alpha > 0.2) return { focusBorderColor: toHex(color) };
    }
  }
  return {};
}
