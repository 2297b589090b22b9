// The picture of a session's page. Mouse, touch, keys, clipboard and composed text go to the page.
import type { VNode } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { create, dom } from "../../ui/dom.ts";
import { createPainter, type ScreenSocket } from "./screen-socket.ts";

export type RemotePageProps = {
  readonly send: ScreenSocket["send"];
  /** Gets the function that draws a picture. */
  readonly onReady: (paint: (picture: Blob) => void) => void;
};

const BUTTONS = ["left", "middle", "right"] as const;
const MOVE_MS = 30;
/** A finger that moves less than this taps. */
const TAP_PIXELS = 8;
const DOUBLE_MS = 400;
/** Keys whose text arrives in the hidden field, such as those of a phone or a composition. */
const COMPOSED = /^(?:Unidentified|Dead|Process)$/;

const clamp = (value: number): number => Math.min(1, Math.max(0, value));

function RemotePage({ send, onReady }: RemotePageProps): VNode {
  const canvas = useRef<HTMLCanvasElement>(null);
  const keys = useRef<HTMLTextAreaElement>(null);
  const held = useRef(new Set<string>());
  const moved = useRef(0);
  const press = useRef({ at: 0, count: 1, x: 0, y: 0 });
  const finger = useRef<{ x: number; y: number; hasMoved: boolean } | undefined>(undefined);

  const locate = ({ clientX, clientY }: MouseEvent): { x: number; y: number } => {
    const box = canvas.current?.getBoundingClientRect();
    if (box === undefined) return { x: 0, y: 0 };
    return {
      x: clamp((clientX - box.left) / box.width),
      y: clamp((clientY - box.top) / box.height),
    };
  };
  /** Counts double and triple clicks. */
  const countPress = (event: PointerEvent): number => {
    const { at, count, x, y } = press.current;
    const isSame = Math.abs(event.clientX - x) < 5 && Math.abs(event.clientY - y) < 5;
    const next = event.timeStamp - at < DOUBLE_MS && isSame ? Math.min(3, count + 1) : 1;
    press.current = { at: event.timeStamp, count: next, x: event.clientX, y: event.clientY };
    return next;
  };
  const releaseKeys = (): void => {
    for (const key of held.current) send({ type: "keyup", key });
    held.current.clear();
  };

  useEffect(() => {
    onReady(createPainter(() => canvas.current));
    const element = canvas.current;
    if (element === null) return undefined;
    // Preact adds wheel listeners as passive ones, which cannot keep the console from scrolling.
    const onWheel = (event: WheelEvent): void => {
      event.preventDefault();
      send({ type: "wheel", ...locate(event), dx: event.deltaX, dy: event.deltaY });
    };
    element.addEventListener("wheel", onWheel, { passive: false });
    return () => element.removeEventListener("wheel", onWheel);
  }, []);

  return dom.div(
    { class: "remote-page" },
    dom.canvas({
      ref: canvas,
      width: 1_280,
      height: 800,
      role: "img",
      "aria-label": "Picture of the page",
      onPointerDown: (event) => {
        event.preventDefault();
        keys.current?.focus({ preventScroll: true });
        if (event.pointerType === "touch") {
          finger.current = { x: event.clientX, y: event.clientY, hasMoved: false };
          return;
        }
        event.currentTarget.setPointerCapture(event.pointerId);
        const button = BUTTONS[event.button] ?? "left";
        send({ type: "down", ...locate(event), button, count: countPress(event) });
      },
      onPointerMove: (event) => {
        const from = finger.current;
        if (from !== undefined) {
          const dx = from.x - event.clientX;
          const dy = from.y - event.clientY;
          if (!from.hasMoved && Math.hypot(dx, dy) < TAP_PIXELS) return;
          finger.current = { x: event.clientX, y: event.clientY, hasMoved: true };
          send({ type: "wheel", ...locate(event), dx, dy });
        } else if (event.timeStamp - moved.current > MOVE_MS) {
          moved.current = event.timeStamp;
          send({ type: "move", ...locate(event) });
        }
      },
      onPointerUp: (event) => {
        const from = finger.current;
        finger.current = undefined;
        if (from?.hasMoved === true) return;
        const button = BUTTONS[event.button] ?? "left";
        const count = from === undefined ? press.current.count : countPress(event);
        if (from !== undefined) send({ type: "down", ...locate(event), button, count });
        send({ type: "up", ...locate(event), button, count });
      },
      onPointerCancel: () => {
        finger.current = undefined;
      },
      onContextMenu: (event) => event.preventDefault(),
    }),
    dom.textarea({
      ref: keys,
      class: "remote-keys",
      "aria-label": "Keys for the page; Shift+Escape leaves it",
      autocomplete: "off",
      autocapitalize: "off",
      spellcheck: false,
      onKeyDown: (event) => {
        // Keys of the console do not work here: all belong to the page.
        event.stopPropagation();
        const { key } = event;
        if (key === "Escape" && event.shiftKey) {
          event.preventDefault();
          event.currentTarget.blur();
          return;
        }
        const hasCommand = event.ctrlKey || event.metaKey;
        if (COMPOSED.test(key) || event.isComposing) return;
        // The browser fires "paste" with the text.
        if (hasCommand && key.toLowerCase() === "v") return;
        event.preventDefault();
        if (hasCommand && /^[cx]$/i.test(key)) send({ type: "copy" });
        held.current.add(key);
        // The page's browser is not a Mac: its commands use Control.
        send({ type: "keydown", key: key === "Meta" ? "Control" : key });
      },
      onKeyUp: (event) => {
        event.stopPropagation();
        const { key } = event;
        if (!held.current.delete(key)) return;
        send({ type: "keyup", key: key === "Meta" ? "Control" : key });
      },
      onPaste: (event) => {
        event.preventDefault();
        const text = event.clipboardData?.getData("text/plain") ?? "";
        if (text !== "") send({ type: "insert", text: text.slice(0, 100_000) });
      },
      onInput: (event) => {
        if (event.isComposing) return;
        const text = event.currentTarget.value;
        event.currentTarget.value = "";
        if (text !== "") send({ type: "insert", text });
      },
      onCompositionEnd: (event) => {
        const text = event.currentTarget.value;
        event.currentTarget.value = "";
        if (text !== "") send({ type: "insert", text });
      },
      onBlur: releaseKeys,
    }),
  );
}

export const remotePage = (props: RemotePageProps): VNode => create(RemotePage, props);
