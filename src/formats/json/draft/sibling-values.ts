// Adjusts values of an object to those beside them.
import type { Shape } from "../../../runtime/json-schema/shape.ts";
import { parseName } from "../names/names.ts";

/** Registries write the version behind the name: if a schema has both, the name excludes it. */
export function splitVersion(value: Record<string, unknown>, shape: Shape): void {
  const { name, version } = value;
  if (typeof name !== "string" || !shape.properties.has("version")) return;
  const [, behind] = /\s(v?\d{1,4}(?:\.\d{1,6}){1,3}[-.]?\w{0,8})$/.exec(name) ?? [];
  const written = typeof version === "string" && name.endsWith(` ${version}`) ? version : behind;
  if (written !== undefined) value["name"] = name.slice(0, -written.length).trim();
}

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
