// Amounts of time in texts, in several languages.

const WORDS = {
  minute: "min(?:ute[ns]?|utos?|uti|uten|ut)?|minut\\p{L}*",
  hour: "hours?|stunden?|heures?|horas?|ore|uur|uren|godzin\\p{L}*|timm\\p{L}*|timer",
  day: "(?:working |business |calendar )?days?|tage?n?|jours?|días?|dias?|giorni|giorno|dagen|dag|dni|dagar|dage|dager|дн\\p{L}+",
  week: "weeks?|wochen?|semaines?|semanas?|settiman[ae]|weken|week|tygodni\\p{L}*|veck\\p{L}+|uger|uker",
  month:
    "months?|monat\\p{L}*|mois|mes(?:es)?|mesi|mese|maanden|maand|miesi\\p{L}+|månad\\p{L}*|måned\\p{L}*",
  year: "years?|jahre?n?|ans?|années?|años?|anos?|anni|anno|jaar|lat\\p{L}?|rok\\p{L}*|år",
};

/** A number that no other digits continue, and a unit of time. */
const toAmounts = (words: string): RegExp =>
  new RegExp(String.raw`(?<![\d.,])(\d[\d.,]*)[\s-]?(?:${words})(?!\p{L})`, "giu");

/** Patterns for amounts of time, by the unit in property names; the first group is the number. */
export const TIMES: Readonly<Record<string, RegExp>> = Object.fromEntries(
  Object.entries(WORDS).map(([unit, words]) => [unit, toAmounts(words)]),
);

/** An amount of time in any unit. */
export const ANY_TIME = new RegExp(toAmounts(Object.values(WORDS).join("|")).source, "iu");

/** Behind an amount: "365 days a year", "5 days per week", "6 jours sur 7". */
export const A_PERIOD =
  /^\s(?:(?:an?|per|each|every|pro|die|im|in der|par|por|al|all['’]|sur|på|op|om)\s?)(?:day|week|month|year|tag|woche|monat|jahr|jour|semaine|mois|an|día|semana|mes|año|giorno|settimana|mese|anno|maand|jaar|\d)(?!\p{L})/iu;
