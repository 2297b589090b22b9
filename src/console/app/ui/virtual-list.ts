import type { ComponentChildren, VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { classes, create, dom } from "./dom.ts";

export type VirtualListProps = {
  readonly label: string;
  readonly class?: string;
  readonly count: number;
  readonly rowHeight: number;
  /** Maximum height of the list in pixels; a shorter list is as high as its rows. */
  readonly height: number;
  readonly row: (index: number) => ComponentChildren;
  /** Receives the visible rows, so that they can be loaded. */
  readonly onRange?: (first: number, last: number) => void;
  /** A change calls `onRange` again. */
  readonly version?: number;
};

const BEYOND = 8;
/** Rows are rendered again after a scroll over this many. */
const STEP = 4;
/** Browsers limit the height of elements: beyond it positions are scaled. */
const MAX_HEIGHT = 8_000_000;

/** Renders only the visible rows, so a hundred thousand scroll like ten. */
function VirtualList(props: VirtualListProps): VNode {
  const { label, class: extra, count, rowHeight, height, row, onRange, version } = props;
  const element = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const [seen, setSeen] = useState(600);
  useEffect(() => {
    const box = element.current;
    if (box === null) return undefined;
    const observer = new ResizeObserver(() => setSeen(box.clientHeight));
    observer.observe(box);
    return () => observer.disconnect();
  }, []);
  const full = Math.min(count * rowHeight, MAX_HEIGHT);
  const scale = full === 0 ? 1 : (count * rowHeight) / full;
  const first = Math.max(0, Math.floor((top * scale) / rowHeight) - BEYOND);
  const last = Math.min(count, Math.ceil((top * scale + seen) / rowHeight) + STEP + BEYOND);
  useEffect(() => onRange?.(first, last), [first, last, version, onRange === undefined]);
  const offset = top - top * scale;
  return dom.div(
    {
      class: classes("virtual", extra),
      ref: element,
      role: "list",
      "aria-label": label,
      tabIndex: 0,
      style: { height: `${Math.min(height, count * rowHeight)}px` },
      onScroll: ({ currentTarget: { scrollTop } }) => {
        const step = STEP * rowHeight;
        // Scaled positions depend on the exact place.
        setTop(scale === 1 ? Math.floor(scrollTop / step) * step : scrollTop);
      },
    },
    dom.div(
      { style: { height: `${full}px` } },
      ...Array.from({ length: Math.max(0, last - first) }, (_, at) => {
        const index = first + at;
        return dom.div(
          {
            key: index,
            class: "virtual-row",
            role: "listitem",
            "aria-posinset": index + 1,
            "aria-setsize": count,
            style: { top: `${index * rowHeight + offset}px`, height: `${rowHeight}px` },
          },
          row(index),
        );
      }),
    ),
  );
}

export const virtualList = (props: VirtualListProps): VNode => create(VirtualList, props);
