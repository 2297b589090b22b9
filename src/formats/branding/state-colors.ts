// Finds success, warning and error colors by name, or by hue if the page's wording confirms it.
import { type Scene, findStrongest, voteByName } from "./brand-colors.ts";
import { type Color, measureDistance, toPerceived } from "./color.ts";
import type { Look } from "./looks.ts";
import { findHueState } from "./role-names.ts";
import { Ballot } from "./votes.ts";

const STATES = ["success", "warning", "error"] as const;

export type State = (typeof STATES)[number];

/** OKLCH hue range of each state. */
const HUES: Readonly<Record<State, readonly [number, number]>> = {
  error: [0, 48],
  warning: [48, 115],
  success: [115, 190],
};

const CUES: Readonly<Record<State, RegExp>> = {
  error:
    /\b(?:errors?|fail(?:ed|ure|s)?|delete|remove|invalid|overdue|declined|refused|rejected|critical|blocked|expired|cancel(?:led|ed)?|sold out|out of stock|offline|required|danger|incorrect|not an? )\b/i,
  warning:
    /\b(?:warnings?|pending|waiting|attention|caution|low stock|few left|only \d+ left|expir(?:es|ing)|trial|degraded|delayed|review|unconfirmed|not confirmed)\b/i,
  success:
    /\b(?:success(?:ful|fully)?|saved|in stock|paid|completed?|confirmed|delivered|active|passed|online|approved|done|shipped|operational|verified|resolved|available|sent)\b/i,
};

/** Returns the colors of the three states. States without evidence are omitted. */
export function findStateColors(scene: Scene): Partial<Record<State, Color>> {
  const found: Partial<Record<State, Color>> = {};
  for (const state of STATES) {
    const ballot = new Ballot();
    voteByName(scene, state, ballot);
    for (const look of scene.looks) voteByCue(scene, look, state, ballot);
    const winner = ballot.findWinner();
    if (winner !== undefined) found[state] = winner;
  }
  return found;
}

function voteByCue(scene: Scene, look: Look, state: State, ballot: Ballot): void {
  const { element } = look;
  if (element.textLength === 0 && element.type !== "invalid") return;
  const hinted = element.classes.split(/\s+/).some((name) => findHueState(name) === state);
  const alert = element.role === "alert" || element.role === "status";
  const said = CUES[state].test(element.text) && element.textLength < 120;
  const invalid = element.type === "invalid" && state === "error";
  if (!hinted && !said && !invalid && !alert) return;
  const color = findStrongest([
    look.fill !== undefined && measureDistance(look.fill, scene.background) > 0.02
      ? look.fill
      : undefined,
    look.border,
    element.textLength > 0 ? look.color : undefined,
  ]);
  if (color === undefined || !hasHue(color, state)) return;
  const small = look.area < 30_000 || alert ? 1 : 0.4;
  const vivid = Math.min(1, toPerceived(color).chroma / 0.12);
  const weight = (said ? 1.6 : 0) + (alert ? 0.8 : 0) + (invalid ? 1.6 : 0) + (hinted ? 1 : 0);
  ballot.add(color, weight * small * vivid, look.fill === color ? "cue fill" : "cue");
}

function hasHue(color: Color, state: State): boolean {
  const { hue, chroma } = toPerceived(color);
  const [from, to] = HUES[state];
  const turned = state === "error" && hue > 345 ? 0 : hue;
  return chroma > 0.045 && turned >= from && turned < to;
}
