// One path of the OpenAPI document with its schemas: a fraction of the whole, for forms.
import { RequestError } from "../../errors.ts";
import { isObject } from "../../runtime/is-object.ts";

type JsonObject = { [key: string]: unknown };

const SCHEMAS = "#/components/schemas/";
const MAX_SHOWN = 200;

/** Names of the shared schemas that `value` refers to, also through others. */
function findReferences(value: unknown, schemas: JsonObject): Set<string> {
  const names = new Set<string>();
  const open: unknown[] = [value];
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    if (typeof one !== "object" || one === null) continue;
    for (const [key, part] of Object.entries(one)) {
      const name =
        key === "$ref" && typeof part === "string" && part.startsWith(SCHEMAS)
          ? part.slice(SCHEMAS.length)
          : undefined;
      if (name === undefined) open.push(part);
      else if (!names.has(name)) {
        names.add(name);
        open.push(schemas[name]);
      }
    }
  }
  return names;
}

/** Throws NOT_FOUND for a path that is not in the document. */
export function selectPath(document: JsonObject, path: string): JsonObject {
  const { paths, components } = document;
  const operations = isObject(paths) && Object.hasOwn(paths, path) ? paths[path] : undefined;
  if (operations === undefined)
    throw new RequestError(
      "NOT_FOUND",
      `The OpenAPI document has no path ${path.slice(0, MAX_SHOWN)}; /openapi.json lists them all.`,
    );
  const all = isObject(components) && isObject(components["schemas"]) ? components["schemas"] : {};
  const used = findReferences(operations, all);
  const schemas = Object.fromEntries(Object.entries(all).filter(([name]) => used.has(name)));
  return {
    ...document,
    paths: { [path]: operations },
    components: { ...(isObject(components) ? components : {}), schemas },
  };
}
