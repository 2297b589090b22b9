// The date of a `time` element.
import type { PageNode } from "../../../page-model/node.ts";
import type { PageModel } from "../../../page-model/page-model.ts";
import type { Shape } from "../../../runtime/json-schema/shape.ts";

const IN_UTC = /T.*(?:Z|[+-]00:?00)$/;

/**
 * The machine-readable date of a `time` element, undefined for other elements. An evening in America
 * is the next day in UTC: where a day is asked for and the element shows another one, it is the shown
 * day.
 */
export function readMachineDate(
  model: PageModel,
  node: PageNode,
  shape: Shape,
): string | undefined {
  const { name, attribs } = node.element;
  const stated = name === "time" ? attribs["datetime"] : undefined;
  if (stated === undefined || shape.format === "date-time" || !IN_UTC.test(stated)) return stated;
  const [shown, ...others] = model
    .typedValues(node)
    .filter(({ type, unit }) => type === "date" && unit !== undefined);
  return shown === undefined || others.length > 0 ? stated : (shown.unit ?? stated);
}
