// Converts a cell to a property of a schema. Undefined if the text does not fit the type.
import { parseDateText } from "../../html/metadata/date-text.ts";
import { readNumber } from "./cell-number.ts";

type Property = Readonly<Record<string, unknown>>;

const YES = /^(?:yes|true|ja|oui|sí|sì|да|✓|✔|☑|✅|はい|是)$/iu;
const NO = /^(?:no|false|nein|non|nej|нет|✗|✘|☐|❌|いいえ|否)$/iu;

/** `hasDecimalCommas`: number format of the column. */
export function toCellValue(
  text: string,
  property: Property | undefined,
  hasDecimalCommas: boolean,
): unknown {
  if (text === "") return undefined;
  const given = property?.["type"];
  const types: readonly unknown[] = Array.isArray(given) ? given : [given];
  if (property?.["enum"] !== undefined) {
    const options = Array.isArray(property["enum"]) ? (property["enum"] as unknown[]) : [];
    return options.find((option) => String(option).toLowerCase() === text.toLowerCase());
  }
  if (types.includes("number") || types.includes("integer")) {
    const number = readNumber(text, hasDecimalCommas);
    if (number === undefined || (!types.includes("number") && !Number.isInteger(number)))
      return types.includes("string") ? text : undefined;
    return number;
  }
  if (types.includes("boolean")) return YES.test(text) ? true : NO.test(text) ? false : undefined;
  if (types.includes("array"))
    return text
      .split(", ")
      .map((part) => part.trim())
      .filter((part) => part !== "");
  if (types.includes("object")) return undefined;
  const isDate = property?.["format"] === "date" || property?.["format"] === "date-time";
  return isDate ? (toDate(text) ?? text) : text;
}

/** The ISO date; undefined where day and month could be either number. */
function toDate(text: string): string | undefined {
  const date = parseDateText(text, "day-first");
  return date === parseDateText(text, "month-first") ? date : undefined;
}
