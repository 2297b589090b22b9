// Data beside its page: pointing at a value shows its position. Values without evidence are marked.
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { Document } from "../../../../contract/page/document.ts";
import { toText } from "../../data/format.ts";
import { badge } from "../../ui/status.ts";
import { classes, dom } from "../../ui/dom.ts";
import { empty } from "../../ui/feedback.ts";
import { pageFrame } from "../../ui/page-frame.ts";

type Place = NonNullable<Document["jsonEvidence"]>[string];
type Value = {
  readonly pointer: string;
  readonly value: unknown;
  readonly depth: number;
  readonly name: string;
};

const MAX_VALUES = 500;
const MAX_DEPTH = 12;

/** The leaves of the data with their JSON pointers (RFC 6901). */
function listValues(data: unknown): Value[] {
  const values: Value[] = [];
  const open: Value[] = [{ pointer: "", value: data, depth: -1, name: "" }];
  for (
    let one = open.shift();
    one !== undefined && values.length < MAX_VALUES;
    one = open.shift()
  ) {
    const { pointer, value, depth } = one;
    if (pointer !== "") values.push(one);
    if (typeof value !== "object" || value === null || depth > MAX_DEPTH) continue;
    const children = Object.entries(value).map(([name, child]) => ({
      pointer: `${pointer}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`,
      value: child as unknown,
      depth: depth + 1,
      name,
    }));
    open.unshift(...children);
  }
  return values;
}

/** Lists requested but missing fields, as values without a position. */
function listMissing(values: readonly Value[], schema: unknown): Value[] {
  const { properties } = (schema ?? {}) as {
    readonly properties?: Readonly<Record<string, unknown>>;
  };
  const found = new Set(values.map(({ pointer }) => pointer));
  return Object.keys(properties ?? {})
    .map((name): Value => ({ pointer: `/${name}`, value: null, depth: 0, name }))
    .filter(({ pointer }) => !found.has(pointer));
}

const isLeaf = (value: unknown): boolean => typeof value !== "object" || value === null;

function textsOf(value: unknown, place: Place | undefined): string[] {
  const text = place?.text;
  const texts = [
    typeof text === "string" ? text : "",
    isLeaf(value) && value !== null ? toText(value) : "",
  ];
  return [...new Set(texts.filter((one) => one.trim() !== ""))];
}

export type EvidenceProps = {
  readonly document: Document;
  readonly overlay: string | undefined;
  /** Requested schema. */
  readonly schema: unknown;
};

export function Evidence({ document, overlay, schema }: EvidenceProps): VNode {
  const [current, setCurrent] = useState<Value>();
  const [found, setFound] = useState<number>();
  if (document.json === undefined || document.json === null)
    return empty({
      icon: "eye",
      title: "No data yet",
      text: "Choose the json format, add a schema and turn on Evidence to see where on the page each value is.",
    });
  const evidence = document.jsonEvidence;
  if (evidence === undefined)
    return empty({
      icon: "eye",
      title: "No evidence requested",
      text: "Turn Evidence on in the options of json and run again.",
    });
  const stated = listValues(document.json);
  const values = [...stated, ...listMissing(stated, schema)];
  const place = current === undefined ? undefined : evidence[current.pointer];
  const choose = (value: Value): void => {
    setFound(undefined);
    setCurrent(value);
  };
  return dom.div(
    { class: "evidence" },
    dom.ul(
      { class: "evidence-values", "aria-label": "Values" },
      ...values.map((one) => {
        const spot = evidence[one.pointer];
        const isChosen = one.pointer === current?.pointer;
        const style = { paddingInlineStart: `${8 + one.depth * 14}px` };
        if (!isLeaf(one.value))
          return dom.li({ key: one.pointer, class: "evidence-name", style }, one.name);
        return dom.li(
          { key: one.pointer },
          dom.button(
            {
              type: "button",
              class: classes(
                "evidence-value",
                isChosen && "chosen",
                spot === undefined && "without",
              ),
              style,
              "aria-pressed": isChosen,
              onClick: () => choose(one),
              onPointerEnter: () => choose(one),
              onFocus: () => choose(one),
            },
            dom.span({ class: "evidence-key" }, one.name),
            dom.span(
              { class: "evidence-text", dir: "auto" },
              one.value === null ? "–" : toText(one.value),
            ),
            spot === undefined
              ? badge(one.value === null ? "not found" : "no evidence", "gray", "dash")
              : dom.span({ class: "tiny faint" }, spot.source),
          ),
        );
      }),
    ),
    dom.div(
      { class: "stack evidence-page" },
      dom.p(
        { class: "small soft", "aria-live": "polite" },
        current === undefined
          ? "Point at a value to see its place on the page."
          : place === undefined
            ? current.value === null
              ? "Not stated on the page."
              : "No position on the page was found for this value."
            : [
                `From ${place.source}`,
                place.selector !== undefined && [" · ", dom.code(null, place.selector)],
                place.path !== undefined && [" · ", dom.code(null, place.path)],
                found === 0 && " · not in the visible text",
              ],
      ),
      overlay !== undefined &&
        pageFrame({
          title: "Text of the page",
          html: overlay,
          kind: "text",
          marks: current === undefined ? [] : textsOf(current.value, place),
          onMarked: setFound,
        }),
    ),
  );
}
