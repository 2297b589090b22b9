// Names of the rows of climate normals, which have a column for each month.

/** A year has twelve; tables of a season have fewer. */
export const MIN_MONTHS = 6;

/** Words that say how the normals of a month were calculated. */
const AVERAGE =
  /(?<!\p{L})(?:average|mean|avg\.?|mittlere?[rsn]?|mittl\.|durchschnittliche?[rsn]?|moyen(?:ne)?s?|promedio|medi[ao]s?|médi[ao]s?|gemiddelde?|średni\p{L}{0,4}|genomsnittlig\p{L}?|gennemsnitlig\p{L}?|gjennomsnittlig\p{L}?|průměrn\p{L}{1,3})(?!\p{L})/giu;
const TOTAL_OF =
  /(?<!\p{L})(?:totals?|sum|amount|monthly|daily|summe|menge|monatlich\p{L}{0,2}|täglich\p{L}{0,2}|totaux|somme|mensuel\p{L}{0,3}|quantité|total(?:es)?|mensual(?:es)?|totai|mensai|totale|somma|mensile|totaal|suma)(?!\p{L})/giu;

/**
 * Other names of a row of monthly normals: "Average rainfall (mm)" is the rainfall, and "Mean total
 * (mm)" below "PRECIPITATION" the precipitation.
 */
export function nameNormal(label: string, topic: string): string[] {
  const unit = /\([^()]{1,12}\)\s*$/u.exec(label)?.[0] ?? "";
  const plain = label.replaceAll(AVERAGE, " ");
  const core = plain.replaceAll(TOTAL_OF, " ").replace(/\s+/gu, " ").trim();
  if (/\p{L}/u.test(core.slice(0, core.length - unit.trim().length)))
    return plain === label ? [] : [core];
  return topic === "" ? [] : [`${topic.replaceAll(/\([^()]*\)/g, " ").trim()} ${unit}`.trim()];
}
