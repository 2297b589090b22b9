// The live view of a session: pictures of one of its tabs, its state, and remote input.
import type { CDPSession, FileChooser, Page } from "playwright-core";
import type { ScreenInput, ScreenReport, ScreenTab } from "../contract/session/screen.ts";
import { Deadline } from "../deadline.ts";
import { translateBrowserError } from "../engines/browser-errors.ts";
import type { Logger } from "../logger.ts";
import { MAX_PAGES } from "../sandbox/calls/page-calls.ts";
import { evaluateIsolated, SELECTED_TEXT } from "./isolated-script.ts";
import { readTitle } from "./read-title.ts";
import { parseInput, toWebAddress, type PointerInput } from "./screen-input.ts";
import type { LiveSession } from "./session.ts";
import { StepRecorder } from "./step-recorder.ts";

export type Viewer = {
  /** Receives the page as JPEG when it has changed. */
  readonly onFrame: (jpeg: Uint8Array) => void;
  /** Receives tabs, recorded steps and errors. */
  readonly onReport?: (report: ScreenReport) => void;
  readonly onEnd: () => void;
  /** True if the viewer can take another frame. A slow viewer skips some. */
  readonly isReady: () => boolean;
};

const PICTURE = {
  format: "jpeg",
  quality: 60,
  maxWidth: 1_600,
  maxHeight: 1_600,
  everyNthFrame: 1,
} as const;

const REPORT_MS = 1_000;
const OPEN_TIMEOUT_MS = 30_000;
const MAX_URL_CHARACTERS = 2_000;
const MAX_COPIED_CHARACTERS = 1_000_000;
/** More inputs than this wait only when the page does not respond; they are dropped. */
const MAX_PENDING = 300;

/** The screencast of one session; runs while somebody watches. */
export class Screen {
  readonly #session: LiveSession;
  readonly #log: Logger;
  readonly #viewers = new Set<Viewer>();
  readonly #recorder = new StepRecorder();
  readonly #tabs = new WeakMap<Page, number>();
  #lastTab = 0;
  #page: Page | undefined;
  #cast: CDPSession | undefined;
  #last: Uint8Array | undefined;
  #isLoading = false;
  #chooser: FileChooser | undefined;
  #state = "";
  #timer: NodeJS.Timeout | undefined;
  #inputs: Promise<void> = Promise.resolve();
  #pending = 0;

  constructor(session: LiveSession, log: Logger) {
    this.#session = session;
    this.#log = log;
  }

  /** Returns a function that stops watching. */
  watch(viewer: Viewer): () => void {
    this.#viewers.add(viewer);
    if (this.#last !== undefined) viewer.onFrame(this.#last);
    if (viewer.onReport !== undefined) {
      this.#state = "";
      viewer.onReport(this.#describeSteps());
      this.#timer ??= setInterval(() => void this.#report(), REPORT_MS).unref();
    }
    if (this.#page === undefined) this.#start();
    else void this.#report();
    return () => {
      this.#viewers.delete(viewer);
      if (this.#viewers.size === 0) this.#stop();
    };
  }

  /** Applies one input of a viewer with control. Invalid input is ignored. Never rejects. */
  applyInput(text: string, viewer: Viewer): Promise<void> {
    const input = parseInput(text);
    if (input === undefined || this.#pending >= MAX_PENDING) return this.#inputs;
    this.#pending += 1;
    this.#inputs = this.#inputs.then(async () => {
      try {
        if (!this.#session.ended) await this.#act(input, viewer);
      } catch {
        // An unknown key or a closed page; the viewer needs no error for these.
      } finally {
        this.#pending -= 1;
      }
    });
    return this.#inputs;
  }

  async #act(input: ScreenInput, viewer: Viewer): Promise<void> {
    const page = this.#page ?? this.#session.lease.page;
    this.#session.recordActivity();
    const size = page.viewportSize() ?? { width: 0, height: 0 };
    const where = { cast: this.#cast, size };
    if (await this.#recorder.note(input, where)) this.#send(this.#describeSteps());
    switch (input.type) {
      case "keydown":
        return await page.keyboard.down(input.key);
      case "keyup":
        return await page.keyboard.up(input.key);
      case "insert":
        return await page.keyboard.insertText(input.text);
      case "copy": {
        const text = await this.#evaluate(SELECTED_TEXT);
        if (typeof text === "string" && text.length <= MAX_COPIED_CHARACTERS)
          viewer.onReport?.({ type: "copied", text });
        return;
      }
      case "files": {
        const files = input.files.map(({ base64, ...file }) => ({
          ...file,
          buffer: Buffer.from(base64, "base64"),
        }));
        const chooser = this.#chooser;
        this.#chooser = undefined;
        return await chooser?.setFiles(files);
      }
      case "record":
        if (input.on) this.#recorder.start(page.url());
        else this.#recorder.isOn = false;
        return this.#send(this.#describeSteps());
      case "forget":
        this.#recorder.forget();
        return this.#send(this.#describeSteps());
      case "open":
      case "back":
      case "forward":
      case "reload":
        // Not awaited: the viewer may stop a slow page.
        return void this.#navigate(page, input, viewer);
      case "stop":
        return void (await this.#cast?.send("Page.stopLoading"));
      case "newTab":
      case "selectTab":
      case "closeTab":
        return await this.#actOnTabs(input, viewer);
      default:
        return await this.#point(page, input, size);
    }
  }

  async #point(
    page: Page,
    input: PointerInput,
    { width, height }: { readonly width: number; readonly height: number },
  ): Promise<void> {
    await page.mouse.move(input.x * width, input.y * height);
    if (input.type === "down")
      await page.mouse.down({ button: input.button, clickCount: input.count });
    if (input.type === "up") await page.mouse.up({ button: input.button, clickCount: input.count });
    if (input.type === "wheel") await page.mouse.wheel(input.dx, input.dy);
  }

  async #actOnTabs(
    input: Extract<ScreenInput, { type: "newTab" | "selectTab" | "closeTab" }>,
    viewer: Viewer,
  ): Promise<void> {
    const { context } = this.#session.lease;
    const pages = context.pages();
    if (input.type === "newTab") {
      if (pages.length < MAX_PAGES) return await this.#show(await context.newPage());
      const text = `A session has at most ${MAX_PAGES} tabs; close one first.`;
      return viewer.onReport?.({ type: "notice", text });
    }
    const page = pages.find((one) => this.#idOf(one) === input.tab);
    if (page === undefined) return;
    if (input.type === "selectTab") return await this.#show(page);
    // Closing the first tab would end the session.
    if (page !== this.#session.lease.page) await page.close();
    else
      viewer.onReport?.({
        type: "notice",
        text: "The first tab stays open. Use End session to close it.",
      });
  }

  async #navigate(
    page: Page,
    input: Extract<ScreenInput, { type: "open" | "back" | "forward" | "reload" }>,
    viewer: Viewer,
  ): Promise<void> {
    const url = toWebAddress(input.type === "open" ? input.url : page.url());
    if (url === undefined) {
      const text = "Only http and https addresses can be opened.";
      return viewer.onReport?.({ type: "notice", text });
    }
    using deadline = Deadline.start(OPEN_TIMEOUT_MS);
    const options = { waitUntil: "commit", timeout: OPEN_TIMEOUT_MS } as const;
    this.#isLoading = true;
    void this.#report();
    try {
      if (input.type === "open") await page.goto(url.href, options);
      else if (input.type === "back") await page.goBack(options);
      else if (input.type === "forward") await page.goForward(options);
      else await page.reload(options);
    } catch (error) {
      const message = error instanceof Error ? error.message : "";
      // Another navigation or the stop button ended this one.
      if (/interrupted|ERR_ABORTED|has been closed/.test(message)) return;
      const { message: text } = translateBrowserError(error, {
        url,
        lane: this.#session.lease.lane,
        deadline,
      });
      viewer.onReport?.({ type: "notice", text });
    } finally {
      this.#isLoading = false;
      void this.#report();
    }
  }

  async #evaluate(script: string): Promise<unknown> {
    return this.#cast === undefined ? undefined : await evaluateIsolated(this.#cast, script);
  }

  #start(): void {
    const { context, page: first } = this.#session.lease;
    context.on("page", this.#onPage);
    void this.#show(context.pages().at(-1) ?? first);
  }

  readonly #onPage = (page: Page): void => {
    if (this.#session.lease.context.pages().length > MAX_PAGES)
      void page.close().catch(() => undefined);
    else void this.#show(page);
  };

  /** Shows a tab from now on; the last call wins. */
  async #show(page: Page): Promise<void> {
    if (this.#page === page || this.#viewers.size === 0 || page.isClosed()) return;
    const before = this.#cast;
    this.#page = page;
    this.#cast = undefined;
    this.#last = undefined;
    this.#isLoading = false;
    this.#chooser = undefined;
    before?.detach().catch(() => undefined);
    page.once("close", () => this.#onClose(page));
    page.off("filechooser", this.#onChooser);
    page.on("filechooser", this.#onChooser);
    try {
      const cast = await this.#open(page);
      if (this.#page === page && this.#viewers.size > 0) this.#cast = cast;
      else await cast.detach().catch(() => undefined);
    } catch (error) {
      this.#log.debug({ err: error }, "screencast failed");
      if (this.#page === page) this.#leave();
    }
    void this.#report();
  }

  #onClose(page: Page): void {
    if (this.#page !== page) return;
    this.#page = undefined;
    this.#cast = undefined;
    this.#last = undefined;
    const next = this.#session.lease.context.pages().at(-1);
    if (this.#session.ended || next === undefined) this.#leave();
    else void this.#show(next);
  }

  readonly #onChooser = (chooser: FileChooser): void => {
    if (chooser.page() !== this.#page) return;
    this.#chooser = chooser;
    this.#send({ type: "chooser", isMultiple: chooser.isMultiple() });
  };

  async #open(page: Page): Promise<CDPSession> {
    const cast = await page.context().newCDPSession(page);
    cast.on("Page.screencastFrame", ({ data, sessionId }) => {
      cast.send("Page.screencastFrameAck", { sessionId }).catch(() => undefined);
      if (this.#page !== page) return;
      const jpeg = Buffer.from(data, "base64");
      this.#last = jpeg;
      for (const viewer of this.#viewers) if (viewer.isReady()) viewer.onFrame(jpeg);
    });
    await cast.send("Page.enable");
    const { frameTree } = await cast.send("Page.getFrameTree");
    const onLoading = (isLoading: boolean, frameId: string): void => {
      if (this.#page !== page || frameId !== frameTree.frame.id) return;
      this.#isLoading = isLoading;
      void this.#report();
    };
    cast.on("Page.frameStartedLoading", ({ frameId }) => onLoading(true, frameId));
    cast.on("Page.frameStoppedLoading", ({ frameId }) => onLoading(false, frameId));
    await cast.send("Page.startScreencast", PICTURE);
    return cast;
  }

  #idOf(page: Page): number {
    const known = this.#tabs.get(page);
    if (known !== undefined) return known;
    this.#lastTab += 1;
    this.#tabs.set(page, this.#lastTab);
    return this.#lastTab;
  }

  #describeSteps(): ScreenReport {
    const { isOn: isRecording, steps } = this.#recorder;
    return { type: "steps", isRecording, steps };
  }

  /** Sends the state to all viewers if it has changed. Never rejects. */
  async #report(): Promise<void> {
    const page = this.#page;
    if (page === undefined || this.#timer === undefined || this.#session.ended) return;
    try {
      const report = await this.#readState(page);
      const text = JSON.stringify(report);
      if (this.#page !== page || text === this.#state) return;
      this.#state = text;
      this.#send(report);
    } catch (error) {
      this.#log.debug({ err: error }, "the state of a session's page could not be read");
    }
  }

  async #readState(page: Page): Promise<ScreenReport> {
    const { facts, lastActivity, lease } = this.#session;
    const pages = lease.context.pages();
    const [tabs, history] = await Promise.all([
      Promise.all(pages.map((one) => this.#describeTab(one))),
      this.#cast?.send("Page.getNavigationHistory").catch(() => undefined),
    ]);
    const at = history?.currentIndex ?? 0;
    return {
      type: "state",
      tabs,
      tab: this.#idOf(page),
      canGoBack: at > 0,
      canGoForward: at + 1 < (history?.entries.length ?? 0),
      isLoading: this.#isLoading,
      expiresAt: facts.expiresAt,
      idleAt: lastActivity + facts.activityTtlMs,
    };
  }

  async #describeTab(page: Page): Promise<ScreenTab> {
    const title = await readTitle(page);
    return { id: this.#idOf(page), url: page.url().slice(0, MAX_URL_CHARACTERS), title };
  }

  #send(report: ScreenReport): void {
    for (const { onReport } of this.#viewers) onReport?.(report);
  }

  #stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    const { context } = this.#session.lease;
    context.off("page", this.#onPage);
    // An unanswered file chooser would block the page's next one.
    for (const page of context.pages()) page.off("filechooser", this.#onChooser);
    const cast = this.#cast;
    this.#page = undefined;
    this.#cast = undefined;
    this.#last = undefined;
    this.#chooser = undefined;
    cast?.detach().catch(() => undefined);
  }

  #leave(): void {
    for (const viewer of this.#viewers) viewer.onEnd();
    this.#viewers.clear();
    this.#stop();
  }
}
