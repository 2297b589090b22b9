// Numbers as pages write them: thousands and decimals by either mark, accounting style, K and M.

/** Characters of a number; longer runs are identifiers. */
const MAX_LENGTH = 30;

/**
 * Parses a text of digits and separators: `1,234.50`, `1.234,50`, `1 234,5`, `1'234`, `(1,204)` as
 * negative. Undefined if it is ambiguous, such as `1,23,4`. Money has no three decimals: `1.234` is
 * 1234 there.
 */
/** A dash at the start of a text is the sign of its number: "– 3,0 %", "-\u00A04.1". */
const SIGN = /^\s*[-−\u2011–‒]\s?(?=\p{Sc}?\s?\d)/u;
export const toSigned = (text: string): string => text.replace(SIGN, "-");

export function parseNumber(written: string, kind: "any" | "money" = "any"): number | undefined {
  let text = written.trim().replace("−", "-");
  if (text.length > MAX_LENGTH) return undefined;
  const isAccounting = text.startsWith("(") && text.endsWith(")");
  if (isAccounting) text = text.slice(1, -1);
  const sign = /^[-+]/.exec(text)?.[0] ?? "";
  let digits = text.slice(sign.length).replaceAll(/['’\s\u00A0\u202F]/g, "");
  digits = digits.replace(/[.,]+$/, "");
  if (!/^\d[\d.,]*$/.test(digits)) return undefined;
  const plain = withPlainDecimals(digits, kind);
  if (plain === undefined) return undefined;
  const number = Number(plain);
  if (!Number.isFinite(number)) return undefined;
  return sign === "-" || isAccounting ? -number : number;
}

function withPlainDecimals(digits: string, kind: "any" | "money"): string | undefined {
  const comma = digits.lastIndexOf(",");
  const dot = digits.lastIndexOf(".");
  if (comma === -1 && dot === -1) return digits;
  if (comma !== -1 && dot !== -1) {
    const [group, decimal] = comma > dot ? [".", ","] : [",", "."];
    if (digits.indexOf(decimal) !== digits.lastIndexOf(decimal)) return undefined;
    return digits.replaceAll(group, "").replace(decimal, ".");
  }
  const mark = comma === -1 ? "." : ",";
  const parts = digits.split(mark);
  const groups = parts.slice(1);
  const isGrouped = groups.every((part) => part.length === 3) && (parts[0]?.length ?? 0) <= 3;
  if (groups.length > 1) return isGrouped ? parts.join("") : undefined;
  // One mark and three digits behind it are thousands for a comma, and for a dot in amounts of
  // money.
  if (isGrouped && parts[0] !== "0")
    return mark === "," || kind === "money" ? parts.join("") : digits;
  return `${parts[0]}.${parts[1]}`;
}
