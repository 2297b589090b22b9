// Reads the colors that stylesheets and variables declare by name, independent of their use.
import type { BrandingEvidence } from "../../branding-evidence.ts";
import { type Color, parseColor, parseThemeColor } from "./color.ts";
import { type ClassRole, findClassRole, findVariableRole, type NamedRole } from "./role-names.ts";

export type NamedColor = NamedRole & { readonly name: string; readonly color: Color };

export type RuleColor = ClassRole & {
  readonly selector: string;
  /**
   * Color of the property for this use, else the one that the rule's variables name most often.
   */
  readonly color: Color;
  readonly direct: boolean;
};

type Declarations = readonly (readonly [string, string])[];

/** Returns variables whose names mean a role and whose values are colors. */
export function readNamedColors(variables: Declarations): NamedColor[] {
  const all = new Map(variables);
  return variables.flatMap(([name, value]) => {
    const role = findVariableRole(name);
    if (role === undefined) return [];
    const color = parseThemeColor(resolveVariables(value, all));
    return color === undefined || color.alpha < 0.1 ? [] : [{ ...role, name, color }];
  });
}

/** Substitutes `var()` with the variables' values. Unknown variables stay unchanged. */
export function resolveVariables(value: string, variables: ReadonlyMap<string, string>): string {
  let text = value;
  for (let round = 0; round < 6 && text.includes("var("); round += 1) {
    text = text.replace(
      /var\(\s*(--[^\s,()]+)\s*(?:,([^()]*))?\)/g,
      (whole, name: string, fallback: string | undefined) =>
        variables.get(name) ?? fallback?.trim() ?? whole,
    );
    if (text.length > 2000) return value;
  }
  return text;
}

/**
 * Returns rules of a single class whose name means a role: ".btn-danger", ".text-success",
 * "button.is-primary".
 */
export function readRuleColors(evidence: BrandingEvidence): RuleColor[] {
  const root = new Map(evidence.variables);
  return evidence.rules.flatMap(({ selector, declarations }) =>
    selector.split(",").flatMap((one) => {
      const match = /^(?:[a-z]*)((?:\.[\w-]+){1,3})$/.exec(one.trim());
      const named = (match?.[1] ?? "").split(".").flatMap((name) => findClassRole(name) ?? []);
      const role = named[0];
      if (role === undefined || named.length > 1) return [];
      const found = pickColor(role, declarations, root);
      return found === undefined ? [] : [{ ...role, ...found, selector: one.trim() }];
    }),
  );
}

const PROPERTIES: Readonly<Record<ClassRole["use"], readonly string[]>> = {
  fill: ["background-color"],
  text: ["color", "fill"],
  border: ["border-color", "border-top-color", "color"],
  tint: ["border-color", "color"],
  any: ["background-color", "color"],
};

function pickColor(
  { use }: ClassRole,
  declarations: Declarations,
  root: ReadonlyMap<string, string>,
): { color: Color; direct: boolean } | undefined {
  const own = new Map([...root, ...declarations]);
  const read = (value: string): Color | undefined => {
    const color = parseColor(resolveVariables(value, own));
    return color === undefined || color.alpha < 0.3 ? undefined : color;
  };
  for (const property of PROPERTIES[use]) {
    const found = declarations.find(([name]) => name === property);
    const color = found === undefined ? undefined : read(found[1]);
    if (color !== undefined) return { color, direct: true };
  }
  if (use === "tint") return undefined;
  const variables = declarations.filter(([name]) => name.startsWith("--"));
  const counted = new Map<string, { color: Color; times: number }>();
  for (const [, value] of variables) {
    const color = read(value);
    if (color === undefined || isGray(color)) continue;
    const key = JSON.stringify(color);
    counted.set(key, { color, times: (counted.get(key)?.times ?? 0) + 1 });
  }
  const [max] = [...counted.values()].toSorted((a, b) => b.times - a.times);
  return max === undefined ? undefined : { color: max.color, direct: false };
}

const isGray = ({ red, green, blue }: Color): boolean =>
  Math.max(red, green, blue) - Math.min(red, green, blue) < 12;
