// Facts of the site itself, for pages of a place or company on its own site: the name of the hotel,
// the address and telephone number in the footer.
import type { PageModel } from "../../../page-model/page-model.ts";
import type { Name } from "../names/names.ts";
import { answerWithName, listSiteNames, listSiteParts, MAX_NAME } from "./site-names.ts";
import { fold, type VisibleAnswer } from "./visible-value.ts";
import { VisibleScope } from "./visible-scope.ts";

/** Kinds of places as property names have them, with the words that stand in their names. */
const KINDS: ReadonlyMap<string, RegExp> = new Map(
  Object.entries({
    hotel: "hotel|hôtel|hostel|inn|pension|gasthof|gasthaus|resort|lodge|albergo|hostal",
    museum: "museum|musée|museo|museu|muzeum|musea",
    restaurant:
      "restaurant|ristorante|restaurante|trattoria|osteria|pizzeria|bistro|brasserie|café|cafe|gasthaus|gasthof|taverna|restauracja",
    library:
      "library|bibliothek|bücherei|bibliothèque|médiathèque|biblioteca|bibliotheek|biblioteka",
    university:
      "university|universität|université|universidad|università|universidade|universiteit|uniwersytet|hochschule|college",
    school:
      "school|schule|gymnasium|école|lycée|collège|escuela|colegio|scuola|liceo|escola|szkoła",
    hospital: "hospital|krankenhaus|klinikum|hôpital|ospedale|ziekenhuis|szpital",
    clinic: "clinic|klinik|praxis|practice|clinique|clínica|cabinet|kliniek|poradnia",
    theatre: "theatre|theater|théâtre|teatro|teatr|opera|oper|opéra",
    gallery: "gallery|galerie|galería|galleria|kunsthalle|kunsthal",
    campsite: "camping|campsite|campingplatz|holiday park",
    winery: "winery|weingut|domaine|bodega|cantina|vineyard|château",
    institute: "institute|institut|instituto|istituto|instytut|instituut",
    academy: "academy|akademie|académie|academia|accademia|akademia",
    festival: "festival|festspiele|festiwal|fest",
    club: "club|klub|verein|society",
  }).map(([kind, words]) => [kind, buildPattern(words)]),
);
/** The words with a capital letter, as in names: "Musée d'Orsay", no "équipe du musée". */
function buildPattern(words: string): RegExp {
  const names = words.split("|").map((word) => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`);
  return new RegExp(String.raw`(?<!\p{L})(?:${names.join("|")})(?!\p{L})`, "u");
}

/** Kinds that `institution` stands for. */
const INSTITUTION = new RegExp(
  [...KINDS]
    .filter(([kind]) => /^(?:universit|school|institut|academy|museum|library|hospital)/.test(kind))
    .map(([, pattern]) => pattern.source)
    .join("|"),
  "u",
);

const SYNONYMS: Readonly<Record<string, string>> = { theater: "theatre", practice: "clinic" };
/** Characters behind a name: the stars of a hotel. */
const DECORATION = /[\s★☆⭐*]+S?$/u;

/** The name of the place that a page is about or whose site it is on: `hotel_name`, `museum`. */
export function findPlaceName(wanted: Name, scope: VisibleScope): VisibleAnswer | undefined {
  const words = wanted.words.filter((word) => word !== "name" && word !== "the");
  const [kind = ""] = words;
  if (words.length !== 1) return undefined;
  const { model } = scope;
  const pattern = kind === "institution" ? INSTITUTION : KINDS.get(SYNONYMS[kind] ?? kind);
  if (pattern === undefined) return undefined;
  const { heading } = model;
  const title = heading === undefined ? "" : model.lineOf(heading).replace(DECORATION, "").trim();
  const isNamed = title.length <= MAX_NAME && isProperName(title, pattern);
  const found =
    heading !== undefined && isNamed
      ? [{ node: heading, text: title }]
      : listSiteNames(model).filter(
          ({ text }) => isProperName(text, pattern) && countMentions(model, text) >= MIN_MENTIONS,
        );
  return answerWithName(found, scope);
}

/** Minimum mentions of a name that is the usual one, and no short form in the logo. */
const MIN_MENTIONS = 3;

const countMentions = ({ text }: PageModel, name: string): number =>
  ` ${fold(text)} `.split(` ${fold(name)} `).length - 1;

const ARTICLE =
  /^(?:the|our|your|this|das|der|die|dem|unser\p{L}*|ihr\p{L}*|le|la|les|notre|votre|il|lo|el|los|nuestr\p{L}*|het|de|ons|onze)$/iu;
const PREPOSITION =
  /^(?:zum|zur|im|am|an|in|bei|to|at|of|du|de|des|au|à|del|al|della|nel|dal|do|da|no|na|van|bij|naar|w|ve)$/iu;
/** Between the words of names: "Hotel am See", "Museum of the Sea". */
const LINKING =
  /^(?:zum|zur|im|am|an|in|bei|of|the|and|&|du|de|des|la|le|les|d['’]\p{L}+|del|della|di|y|e|et|und|van|der|den|het|aan|do|da)$/iu;

/** "Hotel Lindenhof", "Imperial War Museum"; no "Our hotel", "Hotel facilities" or "Anfahrt zum Hotel". */
function isProperName(text: string, kind: RegExp): boolean {
  const words = text.split(/\s+/);
  const at = words.findIndex((word) => kind.test(word));
  const [before, after] = [words[at - 1], words[at + 1]];
  // "The Harbor Hotel" is a name, "The hotel" is none.
  const isArticle = ARTICLE.test(words[0] ?? "") && !(words[0] === "The" && words.length > 2);
  if (at < 0 || words.length < 2 || isArticle) return false;
  if (at === 0) return after !== undefined && (LINKING.test(after) || /^\p{Lu}|^\d/u.test(after));
  return at === words.length - 1 && before !== undefined && !PREPOSITION.test(before);
}

const scopes = new WeakMap<PageModel, VisibleScope | null>();

/**
 * Header and footer of a site whose name is the page's heading, or a part of it; else undefined.
 */
export function findOwnSite(model: PageModel): VisibleScope | undefined {
  let known = scopes.get(model);
  if (known === undefined) {
    const title =
      model.heading === undefined ? "" : fold(model.lineOf(model.heading).replace(DECORATION, ""));
    const isOwn = listSiteNames(model).some(({ text }) => {
      const name = fold(text);
      return name.includes(" ") && (title === name || (title !== "" && title.includes(name)));
    });
    known = isOwn ? VisibleScope.record(model, { nodes: listSiteParts(model) }) : null;
    scopes.set(model, known);
  }
  return known ?? undefined;
}
