// Groups of machine-readable objects of one type, as sources for a list of objects.
import type { Shape } from "../../../runtime/json-schema/shape.ts";
import { parseName, scoreSimilarity, type Name } from "../names/names.ts";
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

/** The group of objects whose members fill most of the item's properties; at least half of them. */
export function findBestThingGroup(
  groups: readonly ThingGroup[],
  items: Shape,
  wanted: Name,
  fill: (things: readonly Thing[]) => readonly Record<string, unknown>[],
): ThingGroup | undefined {
  let best: { readonly group: ThingGroup; readonly score: number } | undefined;
  for (const group of groups.slice(0, 60)) {
    const filled = fill(group.things.slice(0, 3));
    if (filled.length === 0) continue;
    const share =
      filled.reduce((sum, value) => sum + Object.keys(value).length, 0) /
      filled.length /
      Math.max(1, items.properties.size);
    const isNamed = group.names.some((name) => scoreSimilarity(wanted, parseName(name)) >= 0.55);
    const score = share + (isNamed ? 0.25 : 0) + Math.min(group.things.length, 20) * 0.005;
    if (share >= 0.5 && (best === undefined || score > best.score)) best = { group, score };
  }
  return best?.group;
}
