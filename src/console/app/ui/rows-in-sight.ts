// Long tables in the flow of the document: only the rows in sight are elements, and two rows of
// the right height stand for the others. All rows have the same height.
import type { RefObject, VNode } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { dom } from "./dom.ts";

export type RowsInSight = {
  /** For the element that holds the rows. */
  readonly body: RefObject<HTMLTableSectionElement | null>;
  readonly first: number;
  /** After the last row in sight. */
  readonly last: number;
  readonly rows: (row: (index: number) => VNode | undefined) => (VNode | undefined)[];
  /** Scrolls as little as needed to show the row. */
  readonly scrollTo: (index: number) => void;
};

/** Rows rendered beyond the window, so that a quick scroll finds them. */
const BEYOND = 16;
/** The range changes by whole steps: most scroll events then change nothing. */
const STEP = 8;
const USUAL_HEIGHT = 41;
/** Room for the top bar above, and for the bar of a phone below. */
const COVERED = 64;

const spacer = (name: string, height: number): VNode | undefined =>
  height <= 0
    ? undefined
    : dom.tr(
        { key: name, "aria-hidden": true, class: "spacer" },
        dom.td({ style: { height: `${height}px` } }),
      );

export function useRowsInSight(count: number): RowsInSight {
  const body = useRef<HTMLTableSectionElement>(null);
  const [height, setHeight] = useState(USUAL_HEIGHT);
  const [range, setRange] = useState<readonly [number, number]>([0, 2 * BEYOND]);
  const look = useRef<() => void>(() => undefined);
  look.current = () => {
    const top = body.current?.getBoundingClientRect().top;
    if (top === undefined) return;
    const from = Math.floor(Math.max(0, -top) / height / STEP) * STEP - BEYOND;
    const to = Math.ceil(Math.max(0, innerHeight - top) / height / STEP) * STEP + BEYOND;
    const first = Math.max(0, Math.min(from, count - STEP));
    const last = Math.min(count, Math.max(to, first + STEP));
    if (first !== range[0] || last !== range[1]) setRange([first, last]);
  };
  useLayoutEffect(() => look.current(), [count, height]);
  useLayoutEffect(() => {
    const measure = (): void => {
      const row = body.current?.querySelector("tr:not(.spacer)");
      const found = row?.getBoundingClientRect().height ?? 0;
      if (found > 0) setHeight(found);
      look.current();
    };
    measure();
    addEventListener("resize", measure);
    return () => removeEventListener("resize", measure);
  }, [count > 0]);
  useEffect(() => {
    const onScroll = (): void => look.current();
    addEventListener("scroll", onScroll, { passive: true });
    return () => removeEventListener("scroll", onScroll);
  }, []);
  const last = Math.min(range[1], count);
  const first = Math.min(range[0], last);
  return {
    body,
    first,
    last,
    rows: (row) => [
      spacer("before", first * height),
      ...Array.from({ length: last - first }, (_, at) => row(first + at)),
      spacer("after", (count - last) * height),
    ],
    scrollTo: (index) => {
      const top = (body.current?.getBoundingClientRect().top ?? 0) + index * height;
      if (top < COVERED) scrollBy(0, top - COVERED);
      else if (top + height > innerHeight - COVERED)
        scrollBy(0, top + height - innerHeight + COVERED);
    },
  };
}
