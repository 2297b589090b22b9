// Finds the range of dates of an event that needs no label: "7 March – 19 July 2026" beside the
// heading of an exhibition, or in a record.
import type { PageNode } from "../../../page-model/node.ts";
import type { PageModel } from "../../../page-model/page-model.ts";
import type { Shape } from "../../../runtime/json-schema/shape.ts";
import { readDateRange } from "../values/partial-dates.ts";
import type { Name } from "../names/names.ts";
import { selectNearestToHeading, type Place, type VisibleScope } from "./visible-scope.ts";

/** Maximum characters of a line with a range: others say more than when it takes place. */
const MAX_LINE = 60;
/** Ranges of something else: "Register from 1 to 20 May 2026". */
const OTHER_RANGE =
  /regist|apply|application|submi|valid|offer|sale|closed|holiday|book|ticket|early|price|anmeld|bewerb|gültig|geschlossen|angebot|ferien|urlaub|vacan|vakant|ferm|clos|cierre|chius|sluit|inschrijv|inscri|candidat|validité|valable|fermé|offre|soldes|cerrado|oferta|válid|chius|iscri|gesloten|aanmeld|geldig/iu;
const OWN_WORDS =
  /^(?:start|end|date|day|from|until|till|to|event|exhibition|show|festival|conference|fair|begin|beginning|opening|closing|first|last|begins|ends)$/;

/** `start_date` and `exhibition_end`, but no `registration_start`. */
const wantsEnd = ({ concepts, words }: Name, shape: Shape): boolean =>
  shape.kind === "string" &&
  shape.format === "date" &&
  (concepts.has("start") ||
    concepts.has("end") ||
    /^(?:opening|closing) date$/.test(words.join(" "))) &&
  words.every((word) => OWN_WORDS.test(word));

/** Names of the parts around a range: the line, its heading, the card of another item. */
function isOfOther({ model, isPage }: VisibleScope, node: PageNode): boolean {
  const parent = model.parent(node);
  const around = parent !== undefined && parent.to - parent.from <= MAX_AROUND ? parent : node;
  if (OTHER_RANGE.test(model.lineOf(around))) return true;
  if (!isPage) return false;
  const inside = model.sections.filter(({ start, end }) => start <= node.index && node.index < end);
  if (inside.some(({ heading, title }) => heading !== model.heading && OTHER_RANGE.test(title)))
    return true;
  const article = findAround(model, model.heading, "article");
  return (
    findAround(model, node, "a") !== undefined ||
    (article !== undefined && !model.contains(article, node))
  );
}

function findAround(
  model: PageModel,
  node: PageNode | undefined,
  name: string,
): PageNode | undefined {
  let at = node;
  while (at !== undefined && at.element.name !== name) at = model.parent(at);
  return at;
}

/** Characters of a line with its label. */
const MAX_AROUND = 100;

/** The lines with a range of dates; on a page, those nearest to its heading. */
export function findDateRanges(wanted: Name, shape: Shape, scope: VisibleScope): Place[] {
  if (!wantsEnd(wanted, shape)) return [];
  const { model } = scope;
  const places = scope.pieces.flatMap((node): Place[] => {
    const line = model.lineOf(node);
    if (line.length > MAX_LINE || isOfOther(scope, node)) return [];
    const range = readDateRange(line, model.order);
    return range === undefined
      ? []
      : [{ node, value: { type: "date", text: line, at: 0, unit: range.join(" ") } }];
  });
  return scope.isPage ? selectNearestToHeading(scope, places) : places;
}
