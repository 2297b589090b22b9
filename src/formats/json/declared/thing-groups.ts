// Groups of machine-readable objects of one type, as sources for a list of objects.
import type { Thing } from "./finding.ts";

export type ThingGroup = {
  readonly things: readonly Thing[];
  /** Names of the type. */
  readonly names: readonly string[];
};

const MAX_GROUPS = 40;

/** Every group of at least two, in the order of their first members. */
export function groupThings(things: readonly Thing[]): ThingGroup[] {
  const byType = new Map<string, Thing[]>();
  const crumbs = new Set(
    things
      .filter(({ types }) => types.includes("BreadcrumbList"))
      .flatMap(({ fields }) => fields.get("itemListElement") ?? []),
  );
  for (const thing of things) {
    if (crumbs.has(thing)) continue;
    const type = `${thing.source} ${thing.types[0] ?? `{${[...thing.fields.keys()].toSorted().slice(0, 12).join(",")}}`}`;
    const known = byType.get(type);
    if (known === undefined) byType.set(type, [thing]);
    else known.push(thing);
  }
  return [...byType.values()]
    .filter((group) => group.length > 1)
    .map((group) => ({ things: group, names: group[0]?.types ?? [] }))
    .slice(0, MAX_GROUPS);
}
