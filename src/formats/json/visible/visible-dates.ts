// The date or time that a part of the page shows without a label.
import type { Shape } from "../../../runtime/json-schema/shape.ts";
import { readMachineDate } from "./machine-date.ts";
import { isPartialDate } from "../values/partial-dates.ts";
import { type Place, type VisibleScope } from "./visible-scope.ts";
import { toVisibleLeaf, type VisibleAnswer } from "./visible-value.ts";

/**
 * True if a date stands alone, beside a time or a name; words such as "expected" or "closes" in its
 * piece give it another meaning.
 */
export function isDateOf({ model }: VisibleScope, { value, node }: Place): boolean {
  const line = model.lineOf(node);
  const part = line.split(/\s*[·•|]\s*/u).find((each) => each.includes(value.text)) ?? line;
  const rest = part.replace(value.text, " ");
  return !OTHER_DATE.test(rest) && rest.trim().length <= MAX_BESIDE_DATE;
}

const MAX_BESIDE_DATE = 40;

/** Words for dates other than that of the record itself. */
const OTHER_DATE =
  /until|before|deadline|clos(?:es|ing)|ends?\b|expire|expect|due|valid|updated|edited|modified|available|arriv|ships?|deliver|renew|since|joined|member|born|bis\b|frist|gültig|erwartet|lieferbar|geändert|jusqu|avant|prévu|expire|hasta|antes|previst|entro|fino|scad|预计|到货|截止|更新|予定|まで|締切|更新|예정|마감/iu;

/** Times since something was posted: nothing starts then. "Today, 19:30" is a start. */
const AGO =
  /\bago\b|^(?:vor|il y a|hace|há|for)\s|\bfa$|\b(?:geleden|temu|sedan|siden|sitten)\b|^před\s|назад|前$|전$|^(?:today|yesterday|just now|heute|gestern|aujourd[’']hui|hier|hoy|ayer|oggi|ieri|vandaag|gisteren|idag|igår)$/iu;

/**
 * The only machine-readable date of a record that shows a relative one: "4 days ago". With
 * `isStart`, skips relative past dates.
 */
export function findMachineDate(
  scope: VisibleScope,
  shape: Shape,
  isStart = false,
): VisibleAnswer | undefined {
  const { model } = scope;
  const dated = scope.pieces
    .flatMap((piece) => model.below(piece))
    .flatMap((node) => {
      const date = readMachineDate(model, node, shape) ?? "";
      const line = model.lineOf(node).trim();
      const isOther = OTHER_DATE.test(line) || (isStart && AGO.test(line));
      return /^\d{4}-\d\d-\d\d/.test(date) && !isOther ? [{ node, date }] : [];
    });
  const [first] = dated;
  if (first === undefined || new Set(dated.map(({ date }) => date)).size > 1) return undefined;
  const { node, date } = first;
  const leaf = toVisibleLeaf(scope, node, date, "list", model.lineOf(node));
  return { found: { leaves: [leaf], confidence: "medium", node } };
}

/** The only text of a record that is a date without a year: "Sat 9 August", "22.01.". */
export function findPartialDate(scope: VisibleScope): VisibleAnswer | undefined {
  const { model } = scope;
  const found = scope.pieces.flatMap((node) =>
    model
      .textOf(node)
      .split(/\n|\s[·•|]\s/u)
      .map((part) => part.trim())
      .filter((part) => part.length <= MAX_PARTIAL_DATE && isPartialDate(part, model.order))
      .map((text) => ({ node, text })),
  );
  const [first] = found;
  if (first === undefined || new Set(found.map(({ text }) => text)).size > 1) return undefined;
  const leaf = toVisibleLeaf(scope, first.node, first.text, "list", first.text);
  return { found: { leaves: [leaf], confidence: "medium", node: first.node } };
}

const MAX_PARTIAL_DATE = 24;
