// Resolves references from a model to values: copied by the server, never written by the model.
import type { PageNode } from "../page-model/node.ts";
import { isObject } from "../runtime/is-object.ts";
import { foldBlanks } from "./convert.ts";
import type { WantedFields } from "./learn/learn-program.ts";
import type { ExtractorPage } from "./extractor-page.ts";

export type PointedValue = {
  readonly data: unknown;
  /** By JSON pointer. */
  readonly refs: Readonly<Record<string, string>>;
  /** References that do not exist, or whose text is not at that place. */
  readonly dropped: readonly string[];
};

const MAX_VALUES = 2_000;

/**
 * Copies values by reference. An answer has the shape of the data, with a reference such as
 * `"n12"`, or `{"ref": "n12", "text": "part of it"}`, for each value. Null means that the page has
 * no value.
 */
export function copyPointed(
  answer: unknown,
  wanted: WantedFields,
  page: ExtractorPage,
): PointedValue {
  const refs = new Map<string, string>();
  const dropped: string[] = [];
  let left = MAX_VALUES;
  const data = copy(answer, "", "", 0);
  return { data: data ?? {}, refs: Object.fromEntries(refs), dropped };

  function copy(value: unknown, pointer: string, name: string, depth: number): unknown {
    left -= 1;
    if (value === null || left < 0 || depth > 6) return value === null ? null : undefined;
    const reference = toReference(value);
    if (reference !== undefined) return copyWords(reference, pointer, name);
    if (Array.isArray(value)) {
      const items: unknown[] = [];
      for (const item of value as unknown[]) {
        const found = copy(item, `${pointer}/${items.length}`, name, depth + 1);
        if (found !== undefined && found !== null) items.push(found);
      }
      return items.length === 0 ? undefined : items;
    }
    if (isObject(value)) {
      const fields = Object.entries(value).flatMap(([key, inner]) => {
        const inside = name === "" ? key : `${name}.${key}`;
        const found = copy(
          inner,
          `${pointer}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`,
          inside,
          depth + 1,
        );
        return found === undefined ? [] : [[key, found] as const];
      });
      return fields.length === 0 ? undefined : Object.fromEntries(fields);
    }
    dropped.push(`${pointer}: ${JSON.stringify(value)?.slice(0, 60) ?? "nothing"} is no reference`);
    return undefined;
  }

  function copyWords({ ref, text }: Reference, pointer: string, name: string): unknown {
    const node = page.model.find(ref);
    if (node === undefined) {
      dropped.push(`${pointer}: the page has no ${ref}`);
      return undefined;
    }
    if (wanted[name]?.type === "url") {
      const address = readAddress(node, page);
      if (address !== undefined) return address;
    }
    const words = foldBlanks(page.textOf(node));
    const part = text === undefined ? words : foldBlanks(text);
    if (part === "" || !words.includes(part)) {
      dropped.push(`${pointer}: ${JSON.stringify(part.slice(0, 60))} does not stand at ${ref}`);
      return undefined;
    }
    refs.set(pointer, ref);
    return part;
  }
}

type Reference = { readonly ref: string; readonly text?: string | undefined };

function toReference(value: unknown): Reference | undefined {
  if (typeof value === "string")
    return /^n\d{1,7}$/.test(value.trim()) ? { ref: value.trim() } : undefined;
  if (!isObject(value) || typeof value["ref"] !== "string") return undefined;
  const { ref, text } = value;
  return { ref, text: typeof text === "string" ? text : undefined };
}

/** The address of a link or picture, or of the one around or within a node. */
function readAddress(node: PageNode, page: ExtractorPage): string | undefined {
  const inside = page.model.below(node).find(({ element }) => hasAddress(element.attribs));
  let at: PageNode | undefined = inside ?? node;
  while (at !== undefined && !hasAddress(at.element.attribs)) at = page.model.parent(at);
  const written = at?.element.attribs["href"] ?? at?.element.attribs["src"];
  return written === undefined ? undefined : page.resolve(written);
}

const hasAddress = (attribs: Readonly<Record<string, string>>): boolean =>
  attribs["href"] !== undefined || attribs["src"] !== undefined;
