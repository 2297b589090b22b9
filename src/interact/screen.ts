// Screencast and remote input of a session's page, for the live view.
import type { CDPSession, Page } from "playwright-core";
import { z } from "zod";
import type { Logger } from "../logger.ts";
import type { LiveSession } from "./session.ts";

export type Viewer = {
  /** Receives the page as JPEG when it has changed. */
  readonly onFrame: (jpeg: Uint8Array) => void;
  readonly onEnd: () => void;
  /** True if the viewer can take another frame. A slow viewer skips some. */
  readonly isReady: () => boolean;
};

const place = { x: z.number().min(0).max(1), y: z.number().min(0).max(1) };
const button = z.enum(["left", "middle", "right"]);

/** Inputs of a viewer. Positions are fractions of the picture's width and height. */
const inputSchema = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("move"), ...place }),
  z.strictObject({ type: z.literal("down"), ...place, button }),
  z.strictObject({ type: z.literal("up"), ...place, button }),
  z.strictObject({
    type: z.literal("wheel"),
    ...place,
    dx: z.number().min(-5_000).max(5_000),
    dy: z.number().min(-5_000).max(5_000),
  }),
  z.strictObject({ type: z.literal("keydown"), key: z.string().min(1).max(30) }),
  z.strictObject({ type: z.literal("keyup"), key: z.string().min(1).max(30) }),
]);

const PICTURE = {
  format: "jpeg",
  quality: 60,
  maxWidth: 1_600,
  maxHeight: 1_600,
  everyNthFrame: 1,
} as const;

/** The screencast of one session; runs while somebody watches. */
export class Screen {
  readonly #session: LiveSession;
  readonly #log: Logger;
  readonly #viewers = new Set<Viewer>();
  #cast: Promise<CDPSession> | undefined;
  #page: Page | undefined;
  #last: Uint8Array | undefined;
  #inputs: Promise<void> = Promise.resolve();

  constructor(session: LiveSession, log: Logger) {
    this.#session = session;
    this.#log = log;
  }

  /** Returns a function that stops watching. */
  watch(viewer: Viewer): () => void {
    this.#viewers.add(viewer);
    if (this.#last !== undefined) viewer.onFrame(this.#last);
    this.#start();
    return () => {
      this.#viewers.delete(viewer);
      if (this.#viewers.size === 0) void this.#stop();
    };
  }

  /** Applies one input of a viewer with control. Invalid input is ignored. Never rejects. */
  applyInput(text: string): Promise<void> {
    this.#inputs = this.#inputs.then(async () => {
      try {
        await this.#act(text);
      } catch {
        // An unknown key or a closed page; the viewer needs no error for these.
      }
    });
    return this.#inputs;
  }

  async #act(text: string): Promise<void> {
    const checked = inputSchema.safeParse(JSON.parse(text));
    if (!checked.success || this.#session.ended) return;
    const input = checked.data;
    const page = this.#page ?? this.#session.lease.page;
    this.#session.recordActivity();
    if (input.type === "keydown") return await page.keyboard.down(input.key);
    if (input.type === "keyup") return await page.keyboard.up(input.key);
    const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
    await page.mouse.move(input.x * width, input.y * height);
    if (input.type === "down") await page.mouse.down({ button: input.button });
    if (input.type === "up") await page.mouse.up({ button: input.button });
    if (input.type === "wheel") await page.mouse.wheel(input.dx, input.dy);
  }

  #start(): void {
    if (this.#cast !== undefined || this.#viewers.size === 0) return;
    const { context, page: first } = this.#session.lease;
    const page = context.pages().at(-1) ?? first;
    this.#page = page;
    this.#cast = this.#open(page);
    this.#cast.catch((error: unknown) => {
      this.#log.debug({ err: error }, "screencast failed");
      this.#leave();
    });
    page.once("close", () => {
      this.#cast = undefined;
      this.#last = undefined;
      if (this.#session.ended || context.pages().length === 0) this.#leave();
      else this.#start();
    });
  }

  async #open(page: Page): Promise<CDPSession> {
    const cast = await page.context().newCDPSession(page);
    cast.on("Page.screencastFrame", ({ data, sessionId }) => {
      const jpeg = Buffer.from(data, "base64");
      this.#last = jpeg;
      for (const viewer of this.#viewers) if (viewer.isReady()) viewer.onFrame(jpeg);
      cast.send("Page.screencastFrameAck", { sessionId }).catch(() => undefined);
    });
    await cast.send("Page.startScreencast", PICTURE);
    return cast;
  }

  async #stop(): Promise<void> {
    const cast = this.#cast;
    this.#cast = undefined;
    this.#last = undefined;
    await (await cast)?.detach().catch(() => undefined);
  }

  #leave(): void {
    this.#cast = undefined;
    for (const viewer of this.#viewers) viewer.onEnd();
    this.#viewers.clear();
  }
}
