// Finds values of a record by their unit alone: the temperatures of a day, its wind, its rain.
import { readAmount } from "../values/measures.ts";
import { parseName, type Name } from "../names/names.ts";
import type { WantedProperty } from "./label-match.ts";
import {
  selectNearestToHeading,
  selectPlacesOfType,
  type Place,
  type VisibleScope,
} from "./visible-scope.ts";

const TEMPERATURE = /[-−]?\d{1,3}(?:[.,]\d)?\s?°(?:\s?[CF])?/gu;
/** Dimensions of which a record has one value; lengths and weights need a label. */
const SINGLE: ReadonlySet<string> = new Set(["speed", "pressure", "area", "power", "rainfall"]);
const RAIN =
  /^(?:rain|rainfall|precip|precipitations?|snow|snowfall|niederschlag|regen|pluie|precipitacion|lluvia|pioggia|neerslag|opady?|nederbord|nedbor)$/;
/** A quantity and nothing else. */
const ALONE = /^[-−]?\d[\d.,\u00A0\u202F ]{0,12}\s?[\p{L}°²³/%.]{1,8}(?:\s?[\p{L}]{1,6})?$/u;

/** Temperatures that are no high or low of the day. */
const OTHER_TEMPERATURE =
  /feels|real ?feel|gefühlt|ressenti|sensaci|percepit|gevoel|odczuwal|känns|føles|wind ?chill|dew|taupunkt|rosée|water|wasser|sea\b|mer\b|mare\b|体感/iu;

/** Names of a temperature without a unit: `max_temp`, and `high` or `low` alone. */
const isTemperature = ({ name, base, unit }: WantedProperty): boolean =>
  unit === undefined
    ? ["temperature", "high temperature", "low temperature"].some((concept) =>
        base.concepts.has(concept),
      ) || /^(?:high|low|max|min)$/.test(name.key)
    : unit.dimension === "temperature";

/** `temperature` and `current_temp_c`, but no high, low or perceived one. */
function wantsTemperature({ base, bound }: WantedProperty): boolean {
  const words = base.words.filter(
    (word) => !/^(?:current|now|aktuelle?|actual|actuelle)$/.test(word),
  );
  const { concepts } = parseName(words.join(" "));
  return bound === undefined && concepts.has("temperature");
}

function listTemperatures(scope: VisibleScope): Place[] {
  return scope.pieces.flatMap((node) =>
    [...scope.model.lineOf(node).matchAll(TEMPERATURE)].map((match): Place => {
      const amount = Number(
        match[0]
          .replace("−", "-")
          .replace(",", ".")
          .replace(/[^\d.-]/g, ""),
      );
      return { node, value: { type: "number", text: match[0], at: match.index, amount } };
    }),
  );
}

/** The higher or lower of the only two temperatures of a record. */
export function findTemperature(scope: VisibleScope, wanted: WantedProperty): Place[] {
  const { base, name } = wanted;
  const bound =
    wanted.bound ??
    (base.concepts.has("high temperature") || name.key === "high" || name.key === "max"
      ? "high"
      : base.concepts.has("low temperature") || name.key === "low" || name.key === "min"
        ? "low"
        : undefined);
  if (!isTemperature(wanted)) return [];
  const isOther = ({ node }: Place): boolean => OTHER_TEMPERATURE.test(scope.model.lineOf(node));
  const all = listTemperatures(scope);
  const own = all.filter((place) => !isOther(place));
  // The only temperature of an hour, beside the perceived one.
  if (bound === undefined) {
    const [only, more] = own;
    return only !== undefined && more === undefined && wantsTemperature(wanted) ? [only] : [];
  }
  if (scope.pieces.some((piece) => OTHER_TEMPERATURE.test(scope.model.lineOf(piece)))) return [];
  const [first, second, other] = all;
  if (first === undefined || second === undefined || other !== undefined) return [];
  const isRising = (first.value.amount ?? 0) <= (second.value.amount ?? 0);
  return [(bound === "low") === isRising ? first : second];
}

/** The temperatures without a label in the smallest part of the page around its heading. */
export function findCurrentTemperature(scope: VisibleScope, wanted: WantedProperty): Place[] {
  if (!wantsTemperature(wanted)) return [];
  const labeled = scope.pairs.map(({ node }) => node);
  const places = listTemperatures(scope).filter(
    ({ node }) =>
      !OTHER_TEMPERATURE.test(scope.model.lineOf(node)) &&
      !labeled.some((each) => scope.model.contains(each, node)),
  );
  return selectNearestToHeading(scope, places);
}

/** The only percentage of a record, which is the chance of rain where nothing else is named. */
export const findOnlyPercent = (scope: VisibleScope): Place[] => {
  const [only, other] = selectPlacesOfType(scope, "percent");
  return only === undefined || other !== undefined ? [] : [only];
};

/** "22 / 41 km/h" has the wind and its gusts: the part that is asked for. */
function pickWind(text: string, { concepts }: Name): string {
  const [, wind = "", gusts = "", unit = ""] = WIND_AND_GUSTS.exec(text) ?? [];
  if (unit === "" || Number(wind) > Number(gusts)) return text;
  if (concepts.has("gusts")) return `${gusts} ${unit}`;
  return concepts.has("wind") ? `${wind} ${unit}` : text;
}

const WIND_AND_GUSTS = /^(\d{1,3})\s?\/\s?(\d{1,3})\s?(km\/h|m\/s|mph|kn|kt|kts)$/u;

/** The only quantity of a record in the property's dimension that stands alone. */
export function findMeasure(scope: VisibleScope, { unit, base }: WantedProperty): Place[] {
  if (unit === undefined) return [];
  const isRain = base.words.some((word) => RAIN.test(word));
  if (!SINGLE.has(unit.dimension) && !isRain) return [];
  return scope.pieces.flatMap((node): Place[] =>
    scope.model
      .textOf(node)
      .split(/\n|\s[·•|]\s/u)
      .flatMap((text): Place[] => {
        const part = pickWind(text.trim(), base);
        if (!ALONE.test(part)) return [];
        const amount = readAmount(part, unit, false, scope.model.usesDecimalComma);
        return amount === undefined
          ? []
          : [{ node, value: { type: "number", text: part, at: 0, amount } }];
      }),
  );
}
