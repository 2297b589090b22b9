// Adjusts values of an object to those beside them.
import type { Shape } from "../../../runtime/json-schema/shape.ts";
import { parseName } from "../names/names.ts";
import { isWeekday } from "../values/weekdays.ts";
import { parseAddress } from "../visible/address.ts";

const PACKAGE_NAME = /^(?:(?:package|product|software|library|module|project|release|app) )?name$/;

/** Registries write the version behind the name: if a schema has both, the name excludes it. */
export function splitVersion(value: Record<string, unknown>, shape: Shape): void {
  const keys = [...shape.properties.keys()];
  const key = keys.find((each) => parseName(each).words.at(-1) === "version");
  const named = keys.find((each) => PACKAGE_NAME.test(parseName(each).words.join(" ")));
  const name = named === undefined ? undefined : value[named];
  if (typeof name !== "string" || named === undefined || key === undefined) return;
  const version = value[key];
  const [, behind] = /\s(v?\d{1,4}(?:\.\d{1,6}){1,3}[-.]?\w{0,8})$/.exec(name) ?? [];
  const written = typeof version === "string" && name.endsWith(` ${version}`) ? version : behind;
  if (written !== undefined) value[named] = name.slice(0, -written.length).trim();
}

const MEASURE = /^(?:amount|quantity|qty|menge|measure)$/;

/** "250 g" where one property asks for the amount and another one for the unit. */
export function separateUnit(value: Record<string, unknown>, { properties }: Shape): void {
  const names = [...properties.keys()];
  const amount = names.find((name) => MEASURE.test(parseName(name).words.at(-1) ?? ""));
  const unit = names.find((name) => parseName(name).words.at(-1) === "unit");
  if (amount === undefined || unit === undefined) return;
  const [written, measured] = [value[amount], value[unit]];
  if (typeof written !== "string" || typeof measured !== "string") return;
  if (written.endsWith(measured)) value[amount] = written.slice(0, -measured.length).trim();
}

/**
 * "CME7005 Design of Structures" where one property asks for the code and another one for the
 * title.
 */
export function separateCode(value: Record<string, unknown>, { properties }: Shape): void {
  const names = [...properties.keys()];
  const title = names.find((name) => /^(?:name|title)$/.test(parseName(name).words.at(-1) ?? ""));
  const code = names.find((name) =>
    /^(?:code|number|id)$/.test(parseName(name).words.at(-1) ?? ""),
  );
  if (title === undefined || code === undefined) return;
  const [written, own] = [value[title], value[code]];
  if (typeof written !== "string" || typeof own !== "string" || !CODE.test(own)) return;
  const rest = written.startsWith(own) ? written.slice(own.length) : "";
  const behind = rest.trimStart();
  const isMarked = /^[:–—-]\s/u.test(behind);
  if (!isMarked && behind.length === rest.length) return;
  const plain = isMarked ? behind.slice(1).trimStart() : behind;
  if (/\p{L}{2}/u.test(plain)) value[title] = plain;
}

/** A digit with a letter or a separator: "CME7005", "10-204"; "2024" begins titles, too. */
const CODE = /^(?=.*\d)(?=.*(?:\p{L}|[\p{L}\d][-–./_][\p{L}\d]))\S{2,40}$/u;

/** A time of day where a property beside it has the date: `start_time` beside `date`. */
export function toClockTimes(value: Record<string, unknown>, { properties }: Shape): void {
  const names = [...properties.keys()];
  if (!names.some((name) => parseName(name).words.at(-1) === "date")) return;
  for (const [name, shape] of properties) {
    const written = value[name];
    if (typeof written !== "string" || shape.format !== undefined) continue;
    const clock = /^\d{4}-\d\d-\d\dT(\d\d:\d\d)/.exec(written)?.[1];
    if (clock !== undefined && parseName(name).words.at(-1) === "time") value[name] = clock;
  }
}

const ADDRESS_PARTS = {
  street: "street",
  city: "city",
  postalCode: "postal code",
  region: "region",
} as const;

/**
 * Divides an address that stands whole in several properties, such as `street` and `city`; they stay
 * empty if its parts are not certain. `readLines` gives the text of a property with its lines.
 */
export function splitAddress(
  value: Record<string, unknown>,
  { properties }: Shape,
  readLines: (name: string) => string,
): string[] {
  const parts = [...properties.keys()].flatMap((name) => {
    const { concepts } = parseName(name);
    const part = Object.entries(ADDRESS_PARTS).find(([, concept]) => concepts.has(concept))?.[0];
    return part === undefined ? [] : [{ name, part: part as keyof typeof ADDRESS_PARTS }];
  });
  const whole = parts.filter(({ name }) =>
    parts.some(
      (other) =>
        other.name !== name && typeof value[name] === "string" && value[other.name] === value[name],
    ),
  );
  const address = whole[0] === undefined ? undefined : parseAddress(readLines(whole[0].name));
  return whole.flatMap(({ name, part }) => {
    const own = address?.[part] ?? "";
    if (own !== "") value[name] = own;
    else delete value[name];
    return own === "" ? [name] : [];
  });
}

/** A list price is another one than the price: shops repeat the price below "Regular price". */
export function dropEqualListPrice(
  value: Record<string, unknown>,
  { properties }: Shape,
): string | undefined {
  const find = (test: (concepts: ReadonlySet<string>) => boolean): string | undefined =>
    [...properties.keys()].find(
      (name) => typeof value[name] === "number" && test(parseName(name).concepts),
    );
  const list = find((concepts) => concepts.has("list price"));
  const price = find((concepts) => concepts.has("price") && !concepts.has("list price"));
  if (list === undefined || price === undefined || value[list] !== value[price]) return undefined;
  delete value[list];
  return list;
}

/**
 * "Skerrow Bank Buoy (46K12)" where one property asks for the name and another one for the code.
 */
export function separateBrackets(value: Record<string, unknown>, { properties }: Shape): void {
  const names = [...properties.keys()];
  const title = names.find((name) => /^(?:name|title)$/.test(parseName(name).words.at(-1) ?? ""));
  const code = names.find((name) =>
    /^(?:code|number|id|symbol|ticker)$/.test(parseName(name).words.at(-1) ?? ""),
  );
  if (title === undefined || code === undefined || value[title] !== value[code]) return;
  const [, name, inner] = /^(.*\p{L}.*?)\s\(([^()\s]{2,20})\)$/u.exec(String(value[title])) ?? [];
  if (name === undefined || inner === undefined || !/\d|^\p{Lu}+$/u.test(inner)) return;
  value[title] = name;
  value[code] = inner;
}

const DAY_NAMES = /^(?:day|weekday|wochentag|tag|jour|dia|giorno|dag|den)$/;

/** "Fri 15 May" where one property asks for the day and another one for the date. */
export function splitWeekday(value: Record<string, unknown>, { properties }: Shape): void {
  const names = [...properties.keys()];
  const day = names.find((name) => DAY_NAMES.test(parseName(name).key));
  const date = names.find((name) => parseName(name).words.at(-1) === "date");
  if (day === undefined || date === undefined) return;
  const written = value[day] ?? value[date];
  if (typeof written !== "string") return;
  const [, weekday = "", rest = ""] =
    /^([\p{L}\p{M}]+(?:-feira)?)[.,]?\s+(.*\d.*)$/u.exec(written.trim()) ?? [];
  if (!isWeekday(weekday)) return;
  if (properties.get(date)?.format === undefined && (value[date] ?? written) === written)
    value[date] = rest;
  value[day] = weekday;
}
