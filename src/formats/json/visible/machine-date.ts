// The date of a `time` element, or of a custom element such as `relative-time`.
import type { PageNode } from "../../../page-model/node.ts";
import type { PageModel } from "../../../page-model/page-model.ts";
import { completeDate } from "../values/partial-dates.ts";
import type { Shape } from "../../../runtime/json-schema/shape.ts";

/** `time`, and custom elements that write it as "3 days ago". */
export const isTimeElement = (name: string): boolean =>
  name === "time" || (name.includes("-") && /(?:^|-)(?:time|date|datetime)(?:-|$)/.test(name));

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
  const stated = isTimeElement(name) ? attribs["datetime"] : undefined;
  if (stated === undefined || shape.format === "date-time" || !IN_UTC.test(stated)) return stated;
  const dates = model
    .typedValues(node)
    .flatMap(({ type, unit }) => (type === "date" && unit !== undefined ? [unit] : []));
  const parts = model.lineOf(node).split(/\s+[·•|–—]\s+|,\s+(?=\d{1,2}[:.]\d\d)/u);
  const shown =
    dates.length > 0
      ? dates
      : parts.flatMap((part) => completeDate(part, [stated], model.order) ?? []);
  const [day, ...others] = shown;
  return day === undefined || others.length > 0 ? stated : day;
}
