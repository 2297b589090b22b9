// Names of weekdays in many languages.

/** Languages whose names are known; a few share an abbreviation for different days. */
const LOCALES = "en de fr es it pt nl pl sv da nb fi cs sk hu ro ru uk tr ja zh ko ar".split(" ");
const MORE: readonly (readonly [name: string, day: number])[] = [
  ["tues", 2],
  ["weds", 3],
  ["thur", 4],
  ["thurs", 4],
  ["sonnabend", 6],
];
/** The first of seven days from a Sunday on. */
const SUNDAY = Date.UTC(2026, 0, 4);
const DAY = 86_400_000;

let names: ReadonlyMap<string, ReadonlySet<number>> | undefined;

const fold = (text: string): string =>
  text
    .normalize("NFC")
    .trim()
    .toLowerCase()
    .replace(/[.,]+$/, "");

function loadNames(): ReadonlyMap<string, ReadonlySet<number>> {
  if (names !== undefined) return names;
  const found = new Map<string, Set<number>>();
  const add = (name: string, day: number): void => {
    const key = fold(name);
    found.set(key, (found.get(key) ?? new Set()).add(day));
  };
  for (const locale of LOCALES)
    for (const weekday of ["long", "short"] as const) {
      const format = new Intl.DateTimeFormat(locale, { weekday, timeZone: "UTC" });
      for (let day = 0; day < 7; day += 1) {
        const name = format.format(new Date(SUNDAY + day * DAY));
        add(name, day);
        add(name.replace("-feira", ""), day);
      }
    }
  for (const [name, day] of MORE) add(name, day);
  names = found;
  return found;
}

/** True if a text is the name of a weekday and nothing else. */
export const isWeekday = (text: string): boolean => loadNames().has(fold(text));

/** The days (0 is Sunday) that the first weekday of a text may mean; undefined if it names none. */
export function findWeekday(text: string): ReadonlySet<number> | undefined {
  const all = loadNames();
  for (const [word] of text.slice(0, 200).matchAll(/(?<![\d\p{L}])[\p{L}\p{M}]{1,20}/gu)) {
    const days = all.get(fold(word));
    if (days !== undefined) return days;
  }
  return undefined;
}

/** The weekday among options that a text names in another language: "monday" for "Lunedì". */
export function findSameWeekday<Option>(
  text: string,
  options: readonly Option[],
): Option | undefined {
  const [day, ...others] = (isWeekday(text) && findWeekday(text)) || [];
  if (day === undefined || others.length > 0) return undefined;
  const same = options.filter((option) => {
    const [only, ...more] = (isWeekday(String(option)) && findWeekday(String(option))) || [];
    return only === day && more.length === 0;
  });
  return same.length === 1 ? same[0] : undefined;
}
