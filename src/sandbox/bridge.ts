// Host side of a sandbox: receives calls as JSON, allows what the tables list, and answers with
// JSON. It holds the pages of one browser context, and all references are looked up there, so
// another session is not reachable.
import { stripVTControlCharacters } from "node:util";
import type {
  BrowserContext,
  CDPSession,
  ConsoleMessage,
  Dialog,
  Frame,
  Locator,
  Page,
  Request,
  Response,
} from "playwright-core";
import { z } from "zod";
import type { Calls } from "./calls/call.ts";
import { createLocatorCalls, createStepCalls } from "./calls/locator-calls.ts";
import {
  CONTEXT_CALLS,
  FRAME_ASKS,
  FRAME_CALLS,
  KEYBOARD_CALLS,
  MAX_PAGES,
  MOUSE_CALLS,
  PAGE_ASKS,
  PAGE_CALLS,
  REFUSED,
} from "./calls/page-calls.ts";
import { ExtraHeaders } from "./extra-headers.ts";
import type { Answer, Surface } from "./messages.ts";
import { BOUNDS } from "./outcome.ts";
import { RouteRequests } from "./route-requests.ts";

const targetSchema = z.strictObject({
  on: z.enum(["page", "frame", "locator", "keyboard", "mouse", "context"]),
  page: z.int(),
  steps: z.array(z.array(z.unknown()).min(1).max(4)).max(50),
});
const callSchema = targetSchema.extend({
  name: z.string().max(50),
  values: z.array(z.unknown()).max(5),
});

type Target = z.output<typeof targetSchema>;
type CallMessage = z.output<typeof callSchema>;

const MAX_FRAMES = 200;
const extraHeaders = z
  .record(
    z.string().regex(/^[\w!#$%&'*+.^`|~-]{1,200}$/),
    z
      .string()
      .max(10_000)
      .regex(/^[^\0\r\n]*$/),
  )
  .refine((given) => Object.keys(given).length <= 50);
const MAX_KEPT_RESPONSES = 200;
const DIALOG_MS = 10_000;
const RESPONSE_BYTES = 10_000_000;
const EVENTS = ["console", "dialog", "pageerror", "popup", "request", "response"] as const;
type EventName = (typeof EVENTS)[number];

/** Bridges one browser context to sandboxed code. The caller closes it; the context stays open. */
export class Bridge {
  readonly #context: BrowserContext;
  readonly #onEvent: (json: string) => void;
  readonly #pages = new Map<number, Page>();
  readonly #heard = new Set<string>();
  readonly #kept = new Map<number, Dialog | Response>();
  readonly #locatorCalls;
  readonly #stepCalls;
  readonly #interrupters = new WeakMap<Page, CDPSession>();
  readonly #frames = new Map<number, Frame>();
  readonly #headers: ExtraHeaders;
  readonly #routes: RouteRequests;
  #lastPage = 0;
  #lastFrame = 0;
  #lastKept = 0;

  constructor(
    context: BrowserContext,
    page: Page,
    onEvent: (json: string) => void,
    mayVisit?: (url: URL) => boolean,
  ) {
    this.#context = context;
    this.#onEvent = onEvent;
    this.#headers = new ExtraHeaders(context);
    this.#routes = new RouteRequests({
      context,
      mayVisit,
      tell: (on, event) => this.#send({ page: this.#getPageId(on), name: "route", ...event }),
    });
    const resolve = (target: unknown): Locator => this.#locate(targetSchema.parse(target));
    this.#locatorCalls = createLocatorCalls(resolve);
    this.#stepCalls = createStepCalls(resolve);
    this.#add(page);
    for (const other of context.pages()) if (other !== page) this.#add(other);
    context.on("page", this.#onPage);
  }

  /** Returns the names of everything that may be called. */
  static listSurface(): Surface {
    const none = (): never => {
      throw new Error("no locator");
    };
    const steps = Object.keys(createStepCalls(none));
    return {
      page: [...Object.keys(PAGE_CALLS), "setExtraHTTPHeaders"],
      frame: Object.keys(FRAME_CALLS),
      locator: Object.keys(createLocatorCalls(none)),
      steps: steps.filter(
        (name) => name !== "owner" && name !== "frameLocator" && name !== "contentFrame",
      ),
      frameSteps: steps.filter((name) => !["and", "or", "filter", "contentFrame"].includes(name)),
      keyboard: Object.keys(KEYBOARD_CALLS),
      mouse: Object.keys(MOUSE_CALLS),
      context: Object.keys(CONTEXT_CALLS).filter((name) => name !== "newPage"),
      refused: REFUSED,
    };
  }

  /** Never rejects. */
  async call(json: string): Promise<Answer> {
    try {
      return encode(this.#addPage(await this.#run(callSchema.parse(read(json)))));
    } catch (error) {
      return toErrorAnswer(error);
    }
  }

  /** Answers synchronously. Never throws. */
  ask(json: string): Answer {
    try {
      const message = callSchema.parse(read(json));
      if (message.on === "context" && message.name === "pages")
        return encode([...this.#pages.keys()]);
      if (message.on === "frame")
        return encode(lookUp(FRAME_ASKS, message).run(this.#getFrame(message), message.values));
      const page = this.#getPage(message.page);
      if (message.on === "page" && message.name === "frames") return encode(this.#listFrames(page));
      return encode(lookUp(PAGE_ASKS, message).run(page, message.values));
    } catch (error) {
      return toErrorAnswer(error);
    }
  }

  /**
   * Called before each run: opens the session that can terminate page scripts, because it cannot be
   * opened while one blocks the page.
   */
  async prepare(timeoutMs: number): Promise<void> {
    this.#routes.setRunning(true);
    this.#context.setDefaultTimeout(timeoutMs);
    this.#context.setDefaultNavigationTimeout(timeoutMs);
    for (const page of this.#pages.values()) {
      if (this.#interrupters.has(page)) continue;
      this.#interrupters.set(page, await this.#context.newCDPSession(page));
    }
  }

  /** Terminates scripts that keep a page busy. */
  async interrupt(): Promise<void> {
    await Promise.allSettled(
      [...this.#pages.values()].map(async (page) => {
        await this.#interrupters.get(page)?.send("Runtime.terminateExecution");
      }),
    );
  }

  /** Called after each run: requests that wait for the code go on. */
  resumeRequests(): void {
    this.#routes.setRunning(false);
  }

  close(): void {
    this.resumeRequests();
    this.#context.off("page", this.#onPage);
    this.#pages.clear();
    this.#kept.clear();
  }

  async #run(message: CallMessage): Promise<unknown> {
    const { on, name, values } = message;
    if (on === "context") return await lookUp(CONTEXT_CALLS, message).run(this.#context, values);
    if (on === "locator")
      return await lookUp(this.#locatorCalls, message).run(this.#locate(message), values);
    const page = this.#getPage(message.page);
    if (on === "keyboard") return await lookUp(KEYBOARD_CALLS, message).run(page, values);
    if (on === "mouse") return await lookUp(MOUSE_CALLS, message).run(page, values);
    if (on === "frame")
      // The calls of FRAME_CALLS are those that Playwright's pages and frames share.
      return await lookUp(FRAME_CALLS, message).run(this.#getFrame(message) as never, values);
    if (name === "listenToRoutes") return await this.#routes.listen(values[0] === true);
    if (name === "routeAnswer") return await this.#routes.answer(values[0], values[1], values[2]);
    if (name === "setExtraHTTPHeaders") return await this.#setHeaders(page, values);
    if (name === "listen") return this.#listen(message.page, page, values[0]);
    if (["acceptDialog", "dismissDialog", "responseText"].includes(name))
      return await this.#answer(name, values);
    return await lookUp(PAGE_CALLS, message).run(page, values);
  }

  #getPage(id: number): Page {
    const page = this.#pages.get(id);
    if (page === undefined) throw new Error("The page is closed or was never open.");
    return page;
  }

  async #setHeaders(page: Page, values: readonly unknown[]): Promise<void> {
    const checked = extraHeaders.safeParse(values[0]);
    if (!checked.success || values.length > 1)
      throw new TypeError(
        "page.setExtraHTTPHeaders: give an object of at most 50 headers whose values are texts without line breaks.",
      );
    await this.#headers.set(page, checked.data);
  }

  #listFrames(page: Page): { id: number; parent?: number }[] {
    const main = page.mainFrame();
    return page
      .frames()
      .filter((frame) => frame !== main)
      .slice(0, MAX_FRAMES)
      .map((frame) => {
        const parent = frame.parentFrame();
        const isBelowFrame = parent !== null && parent !== main;
        return {
          id: this.#getFrameId(frame),
          ...(isBelowFrame ? { parent: this.#getFrameId(parent) } : {}),
        };
      });
  }

  #getFrameId(frame: Frame): number {
    for (const [id, known] of this.#frames) if (known === frame) return id;
    for (const [id, known] of this.#frames) if (known.isDetached()) this.#frames.delete(id);
    this.#frames.set(++this.#lastFrame, frame);
    return this.#lastFrame;
  }

  #getFrame({ page, steps: [step] }: Target): Frame {
    const frame = step?.[0] === "frame" ? this.#frames.get(Number(step[1])) : undefined;
    if (frame === undefined || frame.page() !== this.#getPage(page))
      throw new Error("The frame is gone.");
    return frame;
  }

  #locate(target: Target): Locator {
    const isInFrame = target.steps[0]?.[0] === "frame";
    let found: unknown = isInFrame ? this.#getFrame(target) : this.#getPage(target.page);
    for (const [name, ...values] of isInFrame ? target.steps.slice(1) : target.steps) {
      const step = Object.hasOwn(this.#stepCalls, String(name))
        ? this.#stepCalls[String(name)]
        : undefined;
      if (step === undefined) throw new TypeError(`There is no ${String(name)} here.`);
      found = step.run(found as Locator, values);
    }
    if (target.steps.length === (isInFrame ? 1 : 0))
      throw new TypeError("A locator needs a selector.");
    return found as Locator;
  }

  #add(page: Page): number {
    const id = ++this.#lastPage;
    this.#pages.set(id, page);
    page.once("close", () => this.#pages.delete(id));
    return id;
  }

  #getPageId(page: Page): number {
    for (const [id, known] of this.#pages) if (known === page) return id;
    return this.#add(page);
  }

  /** Popups count toward the page limit; excess popups are closed. */
  readonly #onPage = (page: Page): void => {
    if (this.#context.pages().length > MAX_PAGES) void page.close().catch(() => undefined);
    else this.#getPageId(page);
  };

  /** Replaces a page in an answer by its number. */
  #addPage(value: unknown): unknown {
    const isPage = typeof value === "object" && value !== null && "mainFrame" in value;
    return isPage ? this.#getPageId(value as Page) : value;
  }

  #listen(id: number, page: Page, given: unknown): void {
    const name = EVENTS.find((event) => event === given);
    if (name === undefined)
      throw new TypeError(
        `page.on: there is no event ${JSON.stringify(given)} here; there are ${EVENTS.join(", ")}.`,
      );
    const key = `${id} ${name}`;
    if (this.#heard.has(key)) return;
    this.#heard.add(key);
    // Playwright has one overload per event; the table below defines the payloads.
    (page as unknown as { on(event: EventName, run: (value: never) => void): void }).on(
      name,
      (value) => this.#sendEvent(id, name, value),
    );
  }

  #sendEvent(
    page: number,
    name: EventName,
    value: ConsoleMessage & Dialog & Error & Page & Request & Response,
  ): void {
    if (name === "popup") {
      this.#send({ page, name, id: this.#getPageId(value), about: {} });
      return;
    }
    const kept = name === "dialog" || name === "response" ? this.#keep(value) : 0;
    if (name === "dialog")
      setTimeout(() => void value.dismiss().catch(() => undefined), DIALOG_MS).unref();
    this.#send({ page, name, id: kept, about: describeEvent(name, value) });
  }

  #send(event: object): boolean {
    const json = JSON.stringify(event);
    const fits = json.length <= 100_000;
    if (fits) this.#onEvent(json);
    return fits;
  }

  #keep(value: Dialog | Response): number {
    const id = ++this.#lastKept;
    this.#kept.set(id, value);
    this.#kept.delete(id - MAX_KEPT_RESPONSES);
    return id;
  }

  async #answer(name: string, [id, text]: readonly unknown[]): Promise<unknown> {
    const kept = this.#kept.get(Number(id));
    if (kept === undefined) throw new Error("It is gone.");
    if ("body" in kept) {
      const body = await kept.body();
      if (body.length > RESPONSE_BYTES)
        throw new Error(`The body is larger than ${RESPONSE_BYTES} bytes.`);
      return body.toString("utf8");
    }
    return name === "acceptDialog"
      ? kept.accept(typeof text === "string" ? text : undefined)
      : kept.dismiss();
  }
}

function describeEvent(
  name: EventName,
  value: ConsoleMessage & Dialog & Error & Request & Response,
): Record<string, unknown> {
  if (name === "console") return { type: value.type(), text: value.text().slice(0, 10_000) };
  if (name === "dialog")
    return { type: value.type(), message: value.message(), defaultValue: value.defaultValue() };
  if (name === "pageerror") return { message: String(value.message).slice(0, 10_000) };
  const about = { url: value.url() };
  if (name === "request")
    return { ...about, method: value.method(), resourceType: value.resourceType() };
  return {
    ...about,
    status: value.status(),
    statusText: value.statusText(),
    ok: value.ok(),
    headers: value.headers(),
  };
}

function read(json: string): unknown {
  return JSON.parse(json, (key, value: unknown) => {
    if (key === "__proto__") throw new TypeError("Values with a __proto__ key are not allowed.");
    return value;
  });
}

function lookUp<Receiver>(calls: Calls<Receiver>, { on, name }: CallMessage) {
  const call = Object.hasOwn(calls, name) ? calls[name] : undefined;
  if (call === undefined) throw new TypeError(`${on}.${name} is not available here.`);
  return call;
}

function encode(value: unknown): Answer {
  const plain = Buffer.isBuffer(value) ? { $binary: value.toString("base64") } : value;
  const json = JSON.stringify(plain, (_key, part: unknown) =>
    typeof part === "bigint" ? String(part) : part,
  ) as string | undefined;
  if (json !== undefined && json.length > BOUNDS.answerCharacters)
    throw new RangeError(`The answer is larger than ${BOUNDS.answerCharacters} characters.`);
  return { ok: true, json };
}

/** Returns only name and message, because a stack would reveal server paths. */
function toErrorAnswer(error: unknown): Answer {
  if (error instanceof z.ZodError)
    return { ok: false, name: "TypeError", message: "The call is malformed." };
  const name = error instanceof Error ? error.name : "Error";
  // Playwright colors its call log.
  const message = stripVTControlCharacters(error instanceof Error ? error.message : String(error));
  return { ok: false, name, message: message.slice(0, 10_000) };
}
