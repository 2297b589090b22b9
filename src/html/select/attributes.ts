// The `attributes` format: the value of one attribute of every element that a selector matches.
import type { ParentNode } from "domhandler";
import { selectElements, SelectorError } from "./selector.ts";

export type AttributeRequest = { readonly selector: string; readonly attribute: string };
export type AttributeValues = AttributeRequest & { readonly values: string[] };

/**
 * Returns values per request, in request order, each in document order. If an element lacks the
 * attribute, `data-<name>` is tried. An invalid selector gives an empty list and calls `onInvalid`
 * with the reason.
 */
export function selectAttributes(
  root: ParentNode,
  requests: readonly AttributeRequest[],
  onInvalid: (reason: string) => void = () => undefined,
): AttributeValues[] {
  return requests.map(({ selector, attribute }) => ({
    selector,
    attribute,
    values: listAttributeValues(root, selector, attribute.trim().toLowerCase(), onInvalid),
  }));
}

function listAttributeValues(
  root: ParentNode,
  selector: string,
  name: string,
  onInvalid: (reason: string) => void,
): string[] {
  try {
    return selectElements(root, selector).flatMap(({ attribs }) => {
      const value =
        attribs[name] ?? (name.startsWith("data-") ? undefined : attribs[`data-${name}`]);
      return value === undefined ? [] : [value];
    });
  } catch (error) {
    if (!(error instanceof SelectorError)) throw error;
    onInvalid(error.message);
    return [];
  }
}
