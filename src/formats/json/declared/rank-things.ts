// Ranks the things on a page by their match with the schema.
import { findInThing } from "./candidates.ts";
import type { Thing } from "./finding.ts";
import { parseName, toSingularWords } from "../names/names.ts";
import type { Shape } from "../../../runtime/json-schema/shape.ts";

/** Types that surround the main thing of a page. */
export const PAGE_LEVEL_TYPES: ReadonlySet<string> = new Set([
  "WebSite",
  "WebPage",
  "BreadcrumbList",
  "ListItem",
  "ItemList",
  "OfferCatalog",
  "Organization",
  "Corporation",
  "EducationalOrganization",
  "CollegeOrUniversity",
  "GovernmentOrganization",
  "OnlineStore",
  "ImageObject",
  "SearchAction",
  "Person",
  "ReadAction",
  "EntryPoint",
  "SiteNavigationElement",
  "WPHeader",
  "WPFooter",
  "Comment",
  "Review",
  "Rating",
  "Offer",
  "Brand",
  "VideoObject",
  "HowToStep",
  "PostalAddress",
  "CollectionPage",
  "ItemPage",
  "NewsMediaOrganization",
  "PropertyValueSpecification",
]);

/** Maximum objects compared with a schema; a page may embed thousands. */
const MAX_RANKED = 600;

/** Puts data declared for machines before data of scripts, which may be anything. */
const sortDeclaredFirst = (things: readonly Thing[]): Thing[] => [
  ...things.filter(({ source }) => source !== "state"),
  ...things.filter(({ source }) => source === "state"),
];

/** Returns the things whose fields match the properties best, at most three. */
export function rankThings(shape: Shape, things: readonly Thing[], hint: string): Thing[] {
  const said = new Set(toSingularWords(`${shape.description} ${hint}`));
  const properties = [...shape.properties.keys()].map(parseName);
  if (properties.length === 0) return [];
  const scored = sortDeclaredFirst(things)
    .slice(0, MAX_RANKED)
    .map((thing, at) => {
      const words = listTypeWords([thing], shape);
      const likes = properties.map((property) => {
        let best = 0;
        for (const { score } of findInThing(property, thing, words)) best = Math.max(best, score);
        return best;
      });
      const named = thing.types.some((type) =>
        toSingularWords(type).some((word) => said.has(word)),
      );
      const around =
        !named &&
        (thing.types.length === 0
          ? thing.source === "state"
          : thing.types.every((type) => PAGE_LEVEL_TYPES.has(type)));
      const sum = likes.reduce((total, like) => total + like, 0);
      return { thing, score: sum * (around ? 0.6 : 1) + (named ? 0.5 : 0) - at * 0.001 };
    });
  const ranked = scored
    .filter(({ score }) => score >= 0.8)
    .toSorted((one, other) => other.score - one.score);
  const [best] = ranked;
  if (best === undefined) return [];
  return ranked
    .filter(
      ({ thing, score }) =>
        thing === best.thing || (score >= best.score * 0.5 && isSameKind(thing, best.thing)),
    )
    .map(({ thing }) => thing)
    .slice(0, 3);
}

/** Another description of the same thing: same type, different source. */
const isSameKind = (one: Thing, other: Thing): boolean =>
  one.source !== other.source &&
  (one.types.some((type) => other.types.includes(type)) ||
    one.source === "state" ||
    other.source === "state");

export function listTypeWords(things: readonly Thing[], shape: Shape): ReadonlySet<string> {
  const title = shape.description.split(".")[0] ?? "";
  const types = things.flatMap(({ types: given }) => given);
  return new Set(
    [...types, ...(title.length <= 30 ? [title] : [])]
      .flatMap(toSingularWords)
      // The name of the forum is not that of its posting.
      .filter((word) => word !== "list" && word !== "forum"),
  );
}

/**
 * Other objects of the same type and name from the same source, or other members of the same list in
 * script data: variants of one item with different values.
 */
export function findVariants(best: Thing, things: readonly Thing[]): Thing[] {
  if (best.source === "state") return findMembersBeside(best, things);
  const name = readFieldText(best, "name");
  if (name === undefined || best.types.length === 0) return [];
  return things
    .slice(0, MAX_RANKED)
    .filter(
      (thing) =>
        thing !== best &&
        thing.source === best.source &&
        thing.types.some((type) => best.types.includes(type)) &&
        readFieldText(thing, "name") === name,
    );
}

/** The other members of a list in script data. */
function findMembersBeside({ evidence, fields }: Thing, things: readonly Thing[]): Thing[] {
  const list = /^(.*)\[\d+\]$/.exec(evidence.path ?? "")?.[1];
  if (list === undefined) return [];
  return things
    .slice(0, MAX_RANKED)
    .filter(
      ({ evidence: { path = "", selector }, fields: each }) =>
        each !== fields &&
        selector === evidence.selector &&
        path.startsWith(`${list}[`) &&
        /^\[\d+\]$/.test(path.slice(list.length)),
    );
}

function readFieldText(thing: Thing, field: string): string | undefined {
  const value = thing.fields.get(field)?.[0];
  return value?.kind === "leaf" ? String(value.value).trim() : undefined;
}

/** The words of a site's own name: sites put them before labels, as in "Example item number". */
export function listSiteWords(page: Thing): string[] {
  const hosts = ["url", "canonical url"].flatMap(
    (field) =>
      URL.parse(readFieldText(page, field) ?? "")
        ?.hostname.split(".")
        .slice(0, -1) ?? [],
  );
  const own = readFieldText(page, "site name") ?? "";
  const names = own.length <= MAX_SITE_NAME && !/\s/.test(own) ? [...hosts, own] : hosts;
  return names.filter((name) => name.length > 3 && name !== "shop").flatMap(toSingularWords);
}

const MAX_SITE_NAME = 30;
