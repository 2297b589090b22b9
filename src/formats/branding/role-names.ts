// Color roles by names of variables and classes, following the conventions of several design
// systems.

export const ROLES = [
  "primary",
  "secondary",
  "accent",
  "background",
  "textPrimary",
  "textSecondary",
  "link",
  "success",
  "warning",
  "error",
] as const;

export type Role = (typeof ROLES)[number];

/** `strength` from 0 to 1: how certainly the name means the role. */
export type NamedRole = { readonly role: Role; readonly strength: number };

/** Splits "--bsPrimary_color" into bs, primary, color. */
export function splitName(name: string): string[] {
  return name
    .replace(/([a-z\d])([A-Z])/g, "$1-$2")
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((part) => part !== "");
}

/** Words that name the scope of a variable, not its meaning. */
const NOISE = new Set(
  "bs wp preset color colors colour colours clr col palette theme md mdc mat sys ref mui chakra ds global ion el ant p v bulma pico uk app site semantic token tokens style base main default system lsd kt fui brandkit root ui css var".split(
    " ",
  ),
);

const STATES = "status state feedback alert message intent sentiment signal notification".split(
  " ",
);

const MEANINGS: Readonly<Record<Role, Readonly<Record<string, number>>>> = {
  primary: { primary: 1, brand: 0.9, "brand primary": 1, "primary brand": 1 },
  secondary: { secondary: 1, "brand secondary": 1, "secondary brand": 1 },
  accent: { accent: 1, "brand accent": 1, tertiary: 0.6, highlight: 0.5 },
  background: {
    background: 1,
    bg: 1,
    "body bg": 1,
    "body background": 1,
    "page bg": 1,
    "page background": 1,
    "bg page": 1,
    "bg body": 1,
    "background primary": 0.9,
    "bg primary": 0.9,
    canvas: 0.7,
    paper: 0.5,
    surface: 0.5,
  },
  textPrimary: {
    text: 1,
    foreground: 1,
    fg: 1,
    body: 0.8,
    "body text": 1,
    "text primary": 1,
    "text body": 0.9,
    "fg primary": 0.9,
    "on background": 1,
    "on surface": 0.8,
    font: 0.7,
    ink: 0.7,
  },
  textSecondary: {
    "text secondary": 1,
    "text muted": 1,
    "muted foreground": 1,
    "fg muted": 1,
    "fg secondary": 1,
    "text subtle": 0.8,
    "text light": 0.6,
    "on surface variant": 0.9,
    muted: 0.4,
  },
  link: { link: 1, links: 1, anchor: 1, "text link": 1 },
  success: { success: 1, positive: 0.9, valid: 0.7, ok: 0.6 },
  warning: { warning: 1, warn: 1, caution: 0.9 },
  error: { error: 1, danger: 1, destructive: 1, critical: 0.9, negative: 0.9, invalid: 0.8 },
};

const BY_MEANING = new Map<string, NamedRole>(
  ROLES.flatMap((role) =>
    Object.entries(MEANINGS[role]).map(([words, strength]) => [words, { role, strength }] as const),
  ),
);

const SHADES: Readonly<Record<string, number>> = { 500: 0.85, 600: 0.75, 400: 0.5, 700: 0.5 };

/**
 * Returns the role that a custom property names: "--color-primary", "--md-sys-color-error",
 * "--brand-500", "--bs-body-bg".
 */
export function findVariableRole(name: string): NamedRole | undefined {
  let words = splitName(name);
  let strength = 1;
  const last = words.at(-1) ?? "";
  if (/^(?:rgb|hsl|hex|raw|channels?|value)$/.test(last)) {
    words = words.slice(0, -1);
    strength *= 0.9;
  }
  const shade = words.at(-1) ?? "";
  if (/^\d+$/.test(shade)) {
    words = words.slice(0, -1);
    strength *= SHADES[shade] ?? 0;
  }
  // Bootstrap names text colors "--bs-secondary-color" and theme colors "--bs-secondary".
  const text = words[0] === "bs" && words.at(-1) === "color" && words[1] !== "link";
  const rest = words.filter((word) => !NOISE.has(word));
  while (rest.length > 1 && STATES.includes(rest[0] ?? "")) rest.shift();
  if (text && rest[0] !== "body") rest.unshift("text");
  const whole = BY_MEANING.get(rest.join(" "));
  const found = whole ?? stripOwner(rest);
  if (found === undefined || strength === 0) return undefined;
  return { role: found.role, strength: found.strength * strength };
}

/** Accepts one unknown leading word as the owner's prefix: "--acme-primary". */
function stripOwner(words: readonly string[]): NamedRole | undefined {
  const [first = "", ...rest] = words;
  if (rest.length === 0 || PARTS.has(first)) return undefined;
  const found = BY_MEANING.get(rest.join(" "));
  return found === undefined ? undefined : { ...found, strength: found.strength * 0.7 };
}

/** Page parts: a color named after one is not the role's own color. */
const PARTS = new Set(
  "text bg background border hover active focus on btn button link nav navbar header footer card input form table dropdown menu modal tooltip popover badge icon code heading sidebar shadow ring outline fill stroke inverse dark light body secondary primary muted chart tab list surface selection".split(
    " ",
  ),
);

/** The use of a color in a class. */
export type Use = "fill" | "text" | "border" | "tint" | "any";

export type ClassRole = NamedRole & { readonly use: Use };

const USES: Readonly<Record<string, Use>> = {
  btn: "fill",
  button: "fill",
  cta: "fill",
  badge: "fill",
  tag: "fill",
  pill: "fill",
  chip: "fill",
  label: "fill",
  bg: "fill",
  background: "fill",
  progress: "fill",
  text: "text",
  color: "text",
  link: "text",
  feedback: "text",
  message: "text",
  border: "border",
  outline: "border",
  alert: "tint",
  toast: "tint",
  notice: "tint",
  notification: "tint",
  callout: "tint",
  banner: "tint",
};

const CLASS_ROLES: Readonly<Record<string, NamedRole>> = Object.fromEntries(
  (["primary", "secondary", "accent", "success", "warning", "error"] as const).flatMap((role) =>
    Object.entries(MEANINGS[role])
      .filter(([words, strength]) => !words.includes(" ") && strength >= 0.6)
      .map(([words, strength]) => [words, { role, strength }]),
  ),
);

const HARMLESS = new Set(
  "is has c u o m el sm lg md xs xl small large big filled solid flat contained default color colored theme block type variant style ui field form input state status text item".split(
    " ",
  ),
);

/**
 * Returns the role that a class names, and its use: "btn-danger", "button--primary",
 * "alert-success", "is-error".
 */
export function findClassRole(name: string): ClassRole | undefined {
  if (/[:[\]/]/.test(name)) return undefined;
  const words = splitName(name);
  const place = words.findIndex((word) => Object.hasOwn(CLASS_ROLES, word));
  const found = CLASS_ROLES[words[place] ?? ""];
  if (found === undefined) return undefined;
  const rest = words.filter((_, index) => index !== place);
  const uses = rest.flatMap((word) => USES[word] ?? []);
  const strange = rest.filter((word) => USES[word] === undefined && !HARMLESS.has(word));
  if (strange.length > 0) return undefined;
  const outlined = rest.includes("outline") || rest.includes("outlined");
  const filled = uses.includes("fill") ? "fill" : uses[0];
  return { ...found, use: outlined ? "border" : (filled ?? "any") };
}

const HUE_WORDS: Readonly<Record<string, Role>> = {
  red: "error",
  rose: "error",
  green: "success",
  emerald: "success",
  amber: "warning",
  yellow: "warning",
  orange: "warning",
};

/** Returns the state that the hue of a utility class usually indicates: "bg-red-600". */
export function findHueState(name: string): Role | undefined {
  const match = /^(?:bg|text|border)-([a-z]+)-\d{2,3}$/.exec(name);
  const hue = match?.[1] ?? "";
  return Object.hasOwn(HUE_WORDS, hue) ? HUE_WORDS[hue] : undefined;
}
