// Reads fields of unvalidated answers: text where there is text.

export type Fields = Readonly<Record<string, unknown>>;

export const toFields = (value: unknown): Fields =>
  typeof value === "object" && value !== null ? (value as Fields) : {};

/** Returns the entries of a list; empty if it is not a list. */
export const toFieldsList = (value: unknown): Fields[] =>
  Array.isArray(value) ? value.map((entry) => toFields(entry)) : [];

const ENTITIES: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#x27;": "'",
  "&#39;": "'",
  "&nbsp;": " ",
};

/** Returns plain text without the tags that providers put around matches. */
export function toText(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  const text = value
    .replaceAll(/<\/?(?:strong|b|em|i|mark|br)\s*\/?>/gi, "")
    .replaceAll(/&(?:amp|lt|gt|quot|#x27|#39|nbsp);/g, (entity) => ENTITIES[entity] ?? entity)
    .replaceAll(/\s+/g, " ")
    .trim();
  return text === "" ? undefined : text;
}

export const toNumber = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isFinite(value) ? value : undefined;

/** Returns the first http(s) URL among the values. */
export function findAddress(...values: readonly unknown[]): string | undefined {
  for (const value of values) {
    if (typeof value !== "string") continue;
    const url = URL.parse(value.startsWith("//") ? `https:${value}` : value);
    if (url !== null && /^https?:$/.test(url.protocol)) return url.href;
  }
  return undefined;
}
