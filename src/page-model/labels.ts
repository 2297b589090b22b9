// Recognizes labels, and splits lines into a label and its value.

/** A short text that begins with a label. */
export const OWN_LABEL = /^\p{L}[\p{L} ]{2,30}[:：]\s\S.{0,60}$/u;

const MAX_LABEL = 60;

export const stripLabel = (label: string): string => label.replace(/\s*[:：*]\s*$/u, "").trim();

/** "Item No.", "Price (excl. VAT)", "Max. load". */
const ABBREVIATIONS =
  /\b(?:No|Nr|Art|Tel|St|approx|ca|max|min)\.$|\b(?:approx|ca|max|min|excl|incl|exkl|inkl|ekskl|inc|ex|zzgl)\.(?=\s)/giu;

/** Short, with letters, and no sentence. */
export function isLabel(text: string): boolean {
  return (
    text.length > 0 &&
    text.length <= MAX_LABEL &&
    /\p{L}/u.test(text) &&
    !/[.!?。！？]\s|[.!。！]$/u.test(text.replace(ABBREVIATIONS, ""))
  );
}

/** Parts of a line with a label each: "Director: Ada Holm · Proxy: Sile Anders". */
export const splitLabeled = (line: string): string[] => {
  const parts = line.split(/\s[·•|]\s/u);
  return parts.length > 1 && parts.every((part) => splitAtColon(part) !== undefined)
    ? parts
    : [line];
};

/**
 * Label and value of "Label: value"; a colon within a time, a ratio or an address separates
 * nothing.
 */
export function splitAtColon(line: string): readonly [string, string] | undefined {
  const match = /[:：]/.exec(line);
  if (match === null) return undefined;
  const at = match.index;
  const label = line.slice(0, at).trim();
  const value = cutAtContact(line.slice(at + 1).trim());
  if (value === "" || !isLabel(label)) return undefined;
  if (
    match[0] === ":" &&
    /^\S/.test(line.slice(at + 1)) &&
    /\d$|^(?:https?|mailto|tel)$/i.test(label)
  )
    return undefined;
  return [label, value];
}

/** "Lyell Building 3.14 · Tel +44 1632 960 214" is a place; a number or address behind it is its own. */
export function cutAtContact(value: string): string {
  const [first = value, ...rest] = value.split(/\s[·•|]\s/u);
  const isContact = rest.some((part) => part.includes("@") || /(?:\d[\s()./-]?){7}/.test(part));
  return isContact ? first : value;
}
