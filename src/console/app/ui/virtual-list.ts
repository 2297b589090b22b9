import type { ComponentChildren, VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { create, dom } from "./dom.ts";

export type VirtualListProps = {
  readonly label: string;
  readonly count: number;
  readonly rowHeight: number;
  readonly height: number | string;
  readonly row: (index: number) => ComponentChildren;
  /** Receives the visible rows, so that they can be loaded. */
  readonly onRange?: (first: number, last: number) => void;
};

const BEYOND = 8;
/** Browsers limit the height of elements: beyond it positions are scaled. */
const MAX_HEIGHT = 8_000_000;

/** Renders only the visible rows, so a hundred thousand scroll like ten. */
function VirtualList({ label, count, rowHeight, height, row, onRange }: VirtualListProps): VNode {
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
  const last = Math.min(count, Math.ceil((top * scale + seen) / rowHeight) + BEYOND);
  useEffect(() => onRange?.(first, last), [first, last]);
  const offset = top - top * scale;
  return dom.div(
    {
      class: "virtual",
      ref: element,
      role: "list",
      "aria-label": label,
      tabIndex: 0,
      style: { height: typeof height === "number" ? `${height}px` : height },
      onScroll: (event) => setTop(event.currentTarget.scrollTop),
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
