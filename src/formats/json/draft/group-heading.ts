// Recognizes properties whose value is the heading over a part of a list.
import type { PageNode } from "../../../page-model/node.ts";
import type { Shape } from "../../../runtime/json-schema/shape.ts";
import type { Name } from "../names/names.ts";
import type { VisibleScope } from "../visible/visible-scope.ts";
import { isPartialDate } from "../values/partial-dates.ts";
import { clockRange, isKnown } from "../values/known-values.ts";
import { listDescribedOptions } from "../values/described-options.ts";

/** Properties whose value is in the heading over a part of a list. */
const GROUP_WORDS: ReadonlySet<string> = new Set([
  "category",
  "section",
  "department",
  "group",
  "team",
  "track",
  "day",
  "course",
  "chapter",
  "stage",
  "module",
  ..."gruppe kategorie rubrik abteilung bereich gang groupe categorie rubrique service categoria sezione reparto portata gruppo seccion grupo departamento categorie groep afdeling rubriek grupa kategoria sekcja dzial".split(
    " ",
  ),
]);

/** `date` and `day`. */
export const isDay = ({ concepts, words }: Pick<Name, "concepts" | "words">): boolean =>
  concepts.has("date") || words.join(" ") === "day";

/**
 * True if a property may be the heading over a part of a list: `track`, `product_category`, the
 * `date` of its events. A `home_team` is no group of fixtures.
 */
export function isOfGroup(
  { words, concepts }: Name,
  { format, kind }: Shape,
  { group, typeWords }: { readonly group: string; readonly typeWords: ReadonlySet<string> },
): boolean {
  if (group === "" || kind === "number" || kind === "integer") return false;
  // "10:00 – 10:40" over parallel sessions is no track.
  if (clockRange(group) !== undefined || isKnown("time", group)) return false;
  if (format !== undefined) return format === "date" && isDay({ concepts, words });
  const [last = "", ...others] = words
    .filter((word) => !typeWords.has(word) && word !== "name")
    .toReversed();
  return (
    GROUP_WORDS.has(last) && !others.some((word) => /^(?:home|away|guest|host|rival)$/.test(word))
  );
}

/** Characters of a heading that is a day, beside its date. */
const MAX_BESIDE_DATE = 16;

/** The headings around a record that are a day, the innermost first: "Friday 17 July" over the stages of a festival. */
export function listDayHeadings({ model, roots: [root] }: VisibleScope): string[] {
  if (root === undefined) return [];
  const isAround = (heading: PageNode): boolean => {
    const parent = model.parent(heading);
    // The heading of another record is none.
    return heading !== model.heading && parent !== undefined && model.contains(parent, root);
  };
  return model.sections
    .filter(
      ({ start, end, heading }) => start <= root.index && root.index < end && isAround(heading),
    )
    .map(({ title }) => title)
    .filter((title) => {
      const [date] = model.read(title).filter(({ type }) => type === "date");
      return (
        isPartialDate(title, model.order) ||
        (date !== undefined && title.length <= date.text.length + MAX_BESIDE_DATE)
      );
    })
    .toReversed();
}

/** The word of a group's heading that the description lists as an option: "Elective" in "Elective courses". */
export function findOptionInGroup(group: string, description: string): string | undefined {
  const options = new Set(listDescribedOptions(description));
  if (options.size === 0) return undefined;
  const words = group.match(/[\p{L}\p{N}-]+/gu) ?? [];
  if (
    words.some((word) =>
      /^(?:no|not|non|nicht|keine?|ohne|sans|pas|sin|senza|niet|nie)$/i.test(word),
    )
  )
    return undefined;
  const found = words.filter((word) => options.has(word.toLowerCase()));
  return found.length === 1 ? found[0] : undefined;
}
