// The ways in which pages show a value of their data: as it is, as a number with separators or a
// price, as a date, as a list of words.

/** Names the way; a value and a form give one text. */
export type Form = string;

const MONTH_STYLES: Readonly<Record<string, Intl.DateTimeFormatOptions>> = {
  full: { dateStyle: "full" },
  long: { dateStyle: "long" },
  medium: { dateStyle: "medium" },
  short: { dateStyle: "short" },
  day: { day: "numeric", month: "short" },
  longDay: { day: "numeric", month: "long" },
  year: { year: "numeric" },
};
const formatters = new Map<string, Intl.DateTimeFormat>();
const MAX_FORMATTERS = 500;
const ISO_DATE = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d|$)/;
const SEPARATORS: readonly string[] = [", ", " · ", " | ", " / ", ","];

/** Every text that shows the value; `languages` are those of the page and of the visitor. */
export function* listForms(
  value: unknown,
  languages: readonly string[],
): Generator<readonly [Form, string]> {
  if (typeof value === "string") {
    yield ["text", value];
    if (value.trim() !== value) yield ["trimmed", value.trim()];
    if (ISO_DATE.test(value)) yield* listDates(value, languages);
  } else if (typeof value === "number" && Number.isFinite(value)) {
    for (const form of NUMBER_FORMS) {
      const text = showNumber(value, form);
      if (text !== undefined) yield [form, text];
    }
    if (value > 1e11 && value < 4e12 && Number.isInteger(value)) yield* listDates(value, languages);
  } else if (
    Array.isArray(value) &&
    value.length > 1 &&
    value.every((item) => typeof item === "string")
  )
    for (const separator of SEPARATORS) yield [`join${separator}`, value.join(separator)];
}

/** Returns the text of a value in a form, or undefined if the value has no such form. */
export function showAs(value: unknown, form: Form): string | undefined {
  if (form === "text") return typeof value === "string" ? value : undefined;
  if (form === "trimmed") return typeof value === "string" ? value.trim() : undefined;
  if (form.startsWith("join"))
    return Array.isArray(value) && value.every((item) => typeof item === "string")
      ? value.join(form.slice(4))
      : undefined;
  if (form.startsWith("date ")) return showDate(value, form);
  return typeof value === "number" && Number.isFinite(value) ? showNumber(value, form) : undefined;
}

const NUMBER_FORMS: readonly string[] = ["number", "fixed", "cents"].flatMap((form) => [
  form,
  `${form} en`,
  `${form} de`,
]);

/** Undefined for a price that is no whole number of cents. */
function showNumber(value: number, form: Form): string | undefined {
  const [style, language] = form.split(" ");
  if (style === "cents" && !Number.isInteger(value)) return undefined;
  const plain =
    style === "number" ? String(value) : (style === "cents" ? value / 100 : value).toFixed(2);
  if (language === undefined) return plain;
  const [whole = "", part] = plain.split(".");
  const [group, point] = language === "en" ? [",", "."] : [".", ","];
  const grouped = whole.replaceAll(/\B(?=(?:\d{3})+$)/g, group);
  return part === undefined ? grouped : `${grouped}${point}${part}`;
}

function* listDates(
  value: string | number,
  languages: readonly string[],
): Generator<readonly [Form, string]> {
  if (typeof value === "string") yield ["date iso", value.slice(0, 10)];
  for (const language of languages)
    for (const style of Object.keys(MONTH_STYLES))
      for (const zone of ["UTC", "local"]) {
        const form = `date ${language} ${style} ${zone}`;
        const text = showDate(value, form);
        if (text !== undefined) yield [form, text];
      }
}

function showDate(value: unknown, form: Form): string | undefined {
  if (typeof value !== "string" && typeof value !== "number") return undefined;
  if (form === "date iso") return typeof value === "string" ? value.slice(0, 10) : undefined;
  const date = new Date(value);
  if (Number.isNaN(date.getTime())) return undefined;
  return findFormatter(form)?.format(date);
}

function findFormatter(form: Form): Intl.DateTimeFormat | undefined {
  const known = formatters.get(form);
  if (known !== undefined) return known;
  const [, language = "", style = "", zone] = form.split(" ");
  try {
    const made = new Intl.DateTimeFormat(language, {
      ...MONTH_STYLES[style],
      ...(zone === "UTC" ? { timeZone: "UTC" } : {}),
    });
    if (formatters.size < MAX_FORMATTERS) formatters.set(form, made);
    return made;
  } catch {
    return undefined;
  }
}
