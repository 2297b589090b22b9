// Machine-readable data of a page by path: JSON-LD by type and keys, meta elements by name.
import type { Document } from "domhandler";
import { parseLoosely } from "../html/metadata/json-ld.ts";
import { readAttribute, listElements, readText } from "../html/parse/tree.ts";
import { isObject } from "../runtime/is-object.ts";

type DataKind = "json-ld" | "meta";
type DataValue = string | number | boolean;

export type PageData = {
  /** Values of a path in page order. */
  values(kind: DataKind, path: string): readonly DataValue[];
  /** Every path with its values. */
  entries(kind: DataKind): Iterable<readonly [path: string, values: readonly DataValue[]]>;
};

const MAX_VALUES = 5_000;
const MAX_DEPTH = 8;
const MAX_CHARACTERS = 2_000_000;

export function readPageData(document: Document): PageData {
  const found = { "json-ld": new Map<string, DataValue[]>(), meta: new Map<string, DataValue[]>() };
  let left = MAX_VALUES;
  const add = (kind: DataKind, path: string, value: DataValue): void => {
    left -= 1;
    if (left < 0 || path.length > 200) return;
    const known = found[kind].get(path);
    if (known === undefined) found[kind].set(path, [value]);
    else known.push(value);
  };
  for (const element of listElements(document)) {
    if (element.name === "meta") {
      const name = readAttribute(element, "property") || readAttribute(element, "name");
      const content = readAttribute(element, "content").trim();
      if (name !== "" && content !== "") add("meta", name.toLowerCase(), content);
    } else if (element.name === "script" && /ld\+json/i.test(readAttribute(element, "type"))) {
      const text = readText(element);
      if (text.length <= MAX_CHARACTERS) readLinkedData(parseLoosely(text), add);
    }
  }
  return {
    values: (kind, path) => found[kind].get(path) ?? [],
    entries: (kind) => found[kind].entries(),
  };
}

type Add = (kind: DataKind, path: string, value: DataValue) => void;

/** Objects at the top and in `@graph` start a path with their type. */
function readLinkedData(root: unknown, add: Add): void {
  const open: { readonly value: unknown; readonly path: string; readonly depth: number }[] = [
    { value: root, path: "", depth: 0 },
  ];
  for (let entry = open.shift(); entry !== undefined; entry = open.shift()) {
    const { value, path, depth } = entry;
    if (depth > MAX_DEPTH || open.length > MAX_VALUES) continue;
    if (Array.isArray(value)) {
      for (const item of value as unknown[]) open.push({ value: item, path, depth: depth + 1 });
    } else if (isObject(value)) {
      const type = [value["@type"]].flat().find((name) => typeof name === "string");
      const start = path === "" ? String(type ?? "") : path;
      for (const [key, inner] of Object.entries(value)) {
        if (key === "@graph") open.push({ value: inner, path: "", depth: depth + 1 });
        else if (!key.startsWith("@") && start !== "")
          open.push({ value: inner, path: `${start}.${key}`, depth: depth + 1 });
      }
    } else if (path !== "" && (typeof value === "number" || typeof value === "boolean"))
      add("json-ld", path, value);
    else if (path !== "" && typeof value === "string" && value.trim() !== "")
      add("json-ld", path, value.trim());
  }
}
