// Conversion of a field's texts to values: type, unit, and meaning of words.
import type { ScalarType } from "../../contract/extractors/program.ts";
import type { Conversion, Scalar } from "../convert.ts";
import { foldLabel } from "../fold-label.ts";
import type { ExtractorPage, Scope } from "../extractor-page.ts";
import { findUnitConflict, isSameUnit, toMinutes } from "../units.ts";

/** A page or record with its value of the field. */
export type FieldExample = {
  readonly page: ExtractorPage;
  readonly scope: Scope;
  /**
   * Null if the example says that the field has no value; undefined if it does not mention the
   * field.
   */
  readonly value: Scalar | readonly Scalar[] | null | undefined;
  /** Reference of the node that the value must come from, if known. */
  readonly ref?: string | undefined;
};

/** Schema of a field. */
export type WantedField = {
  readonly type: ScalarType;
  /** The field's description, which may contain a unit. */
  readonly description?: string | undefined;
};

/** Types to try, starting with those of the examples. */
export function inferTypes(
  given: readonly FieldExample[],
  wanted: ScalarType | undefined,
): ScalarType[] {
  if (wanted !== undefined) return [wanted];
  const values = given.flatMap(({ value }) => [value].flat() as Scalar[]);
  if (values.every((value) => typeof value === "number")) return ["number"];
  if (values.every((value) => typeof value === "boolean")) return ["boolean"];
  const texts = values.map(String);
  if (texts.every((text) => /^https?:\/\/\S+$/i.test(text))) return ["url", "string"];
  if (texts.every((text) => /^\d{4}-\d{2}-\d{2}(?:T[\d:.+Z-]+)?$/.test(text)))
    return ["string", "date"];
  return ["string"];
}

/**
 * Finds the conversion for the texts of the examples; returns a sentence when an example does not
 * fit the type.
 */
export function inferConversion(
  type: ScalarType,
  { name, wanted }: { readonly name: string; readonly wanted?: WantedField | undefined },
  given: readonly FieldExample[],
): Conversion | string {
  const literals = given.flatMap(({ value }) =>
    ([value].flat() as Scalar[]).filter((each) => typeof each === "string"),
  );
  if (type === "boolean") return inferBooleans(name, literals);
  if (type !== "number" && type !== "integer") return { type };
  const description = `${name} ${wanted?.description ?? ""}`;
  const unit = inferUnit(description, literals, given[0]?.page);
  for (const literal of literals) {
    const asked = unit === "min" ? undefined : findUnitConflict(description, literal);
    if (asked !== undefined)
      return `${JSON.stringify(literal)} is not written in ${asked}, as the schema asks`;
  }
  return { type, ...(unit === undefined ? {} : { unit }) };
}

const NEGATIONS =
  /\b(?:not|no|non|out of|sold out|un\w+|nicht|kein\w*|aus\w*|nie|brak|épuisé|agotado|esaurito|uitverkocht)\b|^[-–—✗✘×]$/iu;
const AFFIRMATIONS = /^(?:yes|true|ja|oui|sí|si|tak|да|✓|✔|はい|是)$/iu;

/** A text that names the field means true; any other text needs a value map. */
function inferBooleans(name: string, literals: readonly string[]): Conversion | string {
  const values: Record<string, boolean> = {};
  const words = splitFieldName(name);
  for (const literal of literals) {
    const folded = foldLabel(literal);
    const isNamed =
      words.every((word) => folded.includes(word)) || AFFIRMATIONS.test(literal.trim());
    if (isNamed) values[folded] = true;
    else if (NEGATIONS.test(literal)) values[folded] = false;
    else if (words.some((word) => word.length > 3 && folded.includes(word))) values[folded] = true;
    else
      return `whether ${JSON.stringify(literal)} means true or false is not certain; give true or false in "values"`;
  }
  return { type: "boolean", ...(literals.length === 0 ? {} : { values }) };
}

/** The unit of the examples' numbers, or of the field's description. */
function inferUnit(
  description: string,
  literals: readonly string[],
  page: ExtractorPage | undefined,
): string | undefined {
  if (page === undefined || literals.length === 0) return undefined;
  const asksForMinutes = /(?:^|[\s_])(?:min|minut\p{L}{0,3})(?:$|[\s_,.)])/iu.test(description);
  if (asksForMinutes && literals.every((literal) => toMinutes(literal) !== undefined)) return "min";
  const units = literals.map((literal) => {
    const typed = page.model.read(literal).filter(({ amount }) => amount !== undefined);
    return typed.length === 1 ? typed[0]?.unit : undefined;
  });
  const [first] = units;
  return first !== undefined && units.every((unit) => unit !== undefined && isSameUnit(unit, first))
    ? first
    : undefined;
}

/** The words of a field's name. */
export const splitFieldName = (name: string): string[] =>
  foldLabel(name.replaceAll(/([a-z\d])([A-Z])/g, "$1 $2").replaceAll(/[_-]/g, " ")).split(" ");
