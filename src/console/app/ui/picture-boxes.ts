// Boxes drawn on a picture. A drag on the picture draws one, a drag on a box moves it, its corner
// resizes it. Each box is a button too: arrow keys move it, with Shift they resize it.
import type { CSSProperties, TargetedKeyboardEvent, VNode } from "preact";
import { useRef, useState } from "preact/hooks";
import { moveBox, resizeBox, spanBox, type Box, type Point, type Size } from "./boxes.ts";
import { classes, create, dom } from "./dom.ts";

export type MarkedBox = {
  readonly id: string;
  readonly label: string;
  readonly kind: "kept" | "covered";
  readonly box: Box;
};

export type PictureBoxesProps = {
  readonly src: string;
  readonly alt: string;
  readonly boxes: readonly MarkedBox[];
  /** The kind of the next box; without it the picture is only looked at and scrolled. */
  readonly drawing: MarkedBox["kind"] | undefined;
  /** Id of the text that explains the keys. */
  readonly describedBy: string;
  readonly onSize: (size: Size) => void;
  readonly onDraw: (box: Box) => void;
  readonly onChange: (id: string, box: Box) => void;
  readonly onRemove: (id: string) => void;
};

type Drag =
  | { readonly type: "draw"; readonly from: Point }
  | {
      readonly type: "move" | "resize";
      readonly from: Point;
      readonly id: string;
      readonly box: Box;
    };

const STEP = 10;
/** A drag shorter than this on the screen is a click. */
const MIN_DRAG = 4;

const ARROWS: Readonly<Record<string, Point>> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};

function PictureBoxes(props: PictureBoxesProps): VNode {
  const { src, alt, boxes, drawing, describedBy, onSize, onDraw, onChange, onRemove } = props;
  const stage = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState<Size>();
  const [drag, setDrag] = useState<Drag>();
  const [drawn, setDrawn] = useState<Box>();

  const locate = ({ clientX, clientY }: PointerEvent): Point => {
    const frame = stage.current?.getBoundingClientRect();
    if (frame === undefined || size === undefined) return { x: 0, y: 0 };
    return {
      x: ((clientX - frame.left) / frame.width) * size.width,
      y: ((clientY - frame.top) / frame.height) * size.height,
    };
  };
  const begin = (event: PointerEvent): void => {
    if (event.button !== 0 || size === undefined || stage.current === null) return;
    const target = event.target as Element;
    const id = target.closest<HTMLElement>("[data-box]")?.dataset["box"];
    const held = boxes.find((one) => one.id === id);
    if (held === undefined && drawing === undefined) return;
    event.preventDefault();
    stage.current.setPointerCapture(event.pointerId);
    const from = locate(event);
    if (held === undefined) return setDrag({ type: "draw", from });
    target.closest<HTMLElement>("[data-box]")?.focus({ preventScroll: true });
    const type = target.closest("[data-corner]") === null ? "move" : "resize";
    setDrag({ type, from, id: held.id, box: held.box });
  };
  const follow = (event: PointerEvent): void => {
    if (drag === undefined || size === undefined) return;
    const to = locate(event);
    if (drag.type === "draw") return setDrawn(spanBox(drag.from, to, size));
    const by = { x: to.x - drag.from.x, y: to.y - drag.from.y };
    onChange(drag.id, (drag.type === "move" ? moveBox : resizeBox)(drag.box, by, size));
  };
  const end = (isKept: boolean): void => {
    const scale = (stage.current?.clientWidth ?? 0) / (size?.width ?? 1);
    const isDrawn =
      drawn !== undefined && Math.max(drawn.width, drawn.height) * scale >= MIN_DRAG && isKept;
    if (isDrawn) onDraw(drawn);
    setDrag(undefined);
    setDrawn(undefined);
  };
  const press = (event: TargetedKeyboardEvent<HTMLButtonElement>, one: MarkedBox): void => {
    if (size === undefined) return;
    if (event.key === "Delete" || event.key === "Backspace") {
      event.preventDefault();
      onRemove(one.id);
      return;
    }
    const arrow = ARROWS[event.key];
    if (arrow === undefined) return;
    event.preventDefault();
    const step = event.altKey ? 1 : STEP;
    const by = { x: arrow.x * step, y: arrow.y * step };
    onChange(one.id, (event.shiftKey ? resizeBox : moveBox)(one.box, by, size));
  };
  const place = ({ x, y, width, height }: Box): CSSProperties => {
    const { width: all = 1, height: tall = 1 } = size ?? {};
    return {
      left: `${(x / all) * 100}%`,
      top: `${(y / tall) * 100}%`,
      width: `${(width / all) * 100}%`,
      height: `${(height / tall) * 100}%`,
    };
  };

  return dom.div(
    {
      class: "picture-boxes",
      tabIndex: 0,
      role: "region",
      "aria-label": alt,
      "aria-describedby": describedBy,
    },
    dom.div(
      {
        ref: stage,
        class: classes("picture-stage", drawing !== undefined && "drawing"),
        onPointerDown: begin,
        onPointerMove: follow,
        onPointerUp: () => end(true),
        onPointerCancel: () => end(false),
      },
      dom.img({
        src,
        alt: "",
        draggable: false,
        onLoad: ({ currentTarget }) => {
          const next = { width: currentTarget.naturalWidth, height: currentTarget.naturalHeight };
          setSize(next);
          onSize(next);
        },
      }),
      size !== undefined &&
        boxes.map((one) =>
          dom.button(
            {
              key: one.id,
              type: "button",
              class: classes("picture-box", one.kind),
              style: place(one.box),
              "data-box": one.id,
              "aria-label": `${one.label}: left ${one.box.x}, top ${one.box.y}, ${one.box.width} by ${one.box.height} pixels`,
              "aria-describedby": describedBy,
              onKeyDown: (event) => press(event, one),
            },
            dom.span({ class: "picture-box-name", "aria-hidden": true }, one.label),
            dom.span({ class: "picture-box-corner", "data-corner": "", "aria-hidden": true }),
          ),
        ),
      drawn !== undefined &&
        dom.div({ class: classes("picture-box", "drawn", drawing), style: place(drawn) }),
    ),
  );
}

export const pictureBoxes = (props: PictureBoxesProps): VNode => create(PictureBoxes, props);
