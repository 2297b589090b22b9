// Connection to the live view of a session. The token is sent as a protocol, so it is in no URL.
import type { ScreenInput, ScreenReport } from "../../../../contract/session/screen.ts";

export type ScreenEvents = {
  readonly onPicture: (picture: Blob) => void;
  readonly onReport?: (report: ScreenReport) => void;
  readonly onClose: () => void;
};

/** `count` has a default. */
type Sent<Input> = Input extends { count: number }
  ? Omit<Input, "count"> & { count?: number }
  : Input;

export type ScreenSocket = {
  readonly send: (input: Sent<ScreenInput>) => void;
  readonly close: () => void;
};

const TOKEN = /\/live\/([\w-]{43})$/;

/** Connects to the address that the API gives; undefined if the session has no live view. */
export function openScreen(viewUrl: string, events: ScreenEvents): ScreenSocket | undefined {
  const [, token] = TOKEN.exec(viewUrl) ?? [];
  if (token === undefined) return undefined;
  const address = `${location.origin.replace(/^http/, "ws")}/live/screen`;
  const socket = new WebSocket(address, ["quarry-screen", token]);
  socket.addEventListener("message", ({ data }: MessageEvent<Blob | string>) => {
    if (typeof data !== "string") events.onPicture(data);
    else events.onReport?.(JSON.parse(data) as ScreenReport);
  });
  let isClosed = false;
  socket.addEventListener("close", () => {
    if (!isClosed) events.onClose();
  });
  return {
    send: (input) => {
      if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(input));
    },
    close: () => {
      isClosed = true;
      socket.close();
    },
  };
}

/** Draws pictures one after the other; while one is decoded, only the newest waits. */
export function createPainter(canvas: () => HTMLCanvasElement | null): (picture: Blob) => void {
  let next: Blob | undefined;
  let isDrawing = false;
  const draw = async (): Promise<void> => {
    isDrawing = true;
    while (next !== undefined) {
      const blob = next;
      next = undefined;
      const bitmap = await createImageBitmap(blob).catch(() => undefined);
      const target = canvas();
      if (bitmap === undefined || target === null) continue;
      if (target.width !== bitmap.width || target.height !== bitmap.height) {
        target.width = bitmap.width;
        target.height = bitmap.height;
      }
      target.getContext("2d")?.drawImage(bitmap, 0, 0);
      target.dataset["painted"] = "yes";
      bitmap.close();
    }
    isDrawing = false;
  };
  return (picture) => {
    next = picture;
    if (!isDrawing) void draw();
  };
}
