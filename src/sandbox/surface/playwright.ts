// Playwright's objects for the code. They hold no handles: a page is a number, a locator is a list
// of steps.
import { addMethods, addRefusals, type Host, type Step, type Target } from "./host.ts";
import { decode, encode, urlTest } from "./values.ts";

type Listener = (value: unknown) => unknown;

/** Sends calls and receives events. */
export class Wire {
  readonly host: Host;
  readonly pages = new Map<number, Page>();

  constructor(host: Host) {
    this.host = host;
  }

  async call(target: Target, name: string, values: readonly unknown[]): Promise<unknown> {
    return decode(await this.host.call(encode({ ...target, name, values })));
  }

  ask(target: Target, name: string, values: readonly unknown[] = []): unknown {
    return decode(this.host.ask(encode({ ...target, name, values })));
  }

  page(id: number): Page {
    const known = this.pages.get(id);
    if (known !== undefined) return known;
    const page = new Page(this, id);
    this.pages.set(id, page);
    return page;
  }
}

export class Locator {
  readonly wire: Wire;
  readonly target: Target;

  constructor(wire: Wire, page: number, steps: readonly Step[]) {
    this.wire = wire;
    this.target = { on: "locator", page, steps };
    addMethods(this, wire.host.surface.steps, (_receiver, name, values) => this.step(name, values));
    addMethods(this, wire.host.surface.locator, (_receiver, name, values) =>
      wire.call(this.target, name, values),
    );
    addRefusals(this, "locator", wire.host.surface.refused);
  }

  step(name: string, values: readonly unknown[]): Locator {
    return new Locator(this.wire, this.target.page, [...this.target.steps, [name, ...values]]);
  }

  frameLocator(selector: string): FrameLocator {
    return new FrameLocator(this.wire, this.target.page, [
      ...this.target.steps,
      ["frameLocator", selector],
    ]);
  }

  contentFrame(): FrameLocator {
    return new FrameLocator(this.wire, this.target.page, [...this.target.steps, ["contentFrame"]]);
  }

  page(): Page {
    return this.wire.page(this.target.page);
  }

  async all(): Promise<Locator[]> {
    const count = Number(await this.wire.call(this.target, "count", []));
    return Array.from({ length: count }, (_, at) => this.step("nth", [at]));
  }

  async $(selector: string): Promise<Locator | null> {
    const found = this.step("locator", [selector]).step("first", []);
    return (await this.wire.call(found.target, "count", [])) === 0 ? null : found;
  }

  async $$(selector: string): Promise<Locator[]> {
    return await this.step("locator", [selector]).all();
  }

  toJSON(): unknown {
    return { $locator: this.target };
  }
}

export class FrameLocator {
  readonly wire: Wire;
  readonly target: Target;

  constructor(wire: Wire, page: number, steps: readonly Step[]) {
    this.wire = wire;
    this.target = { on: "locator", page, steps };
    addMethods(this, wire.host.surface.frameSteps, (_receiver, name, values) => {
      const further: Step[] = [...steps, [name, ...values]];
      return ["frameLocator", "first", "last", "nth"].includes(name)
        ? new FrameLocator(wire, page, further)
        : new Locator(wire, page, further);
    });
  }
}

export class Input {
  constructor(wire: Wire, on: "keyboard" | "mouse", page: number) {
    const names = on === "keyboard" ? wire.host.surface.keyboard : wire.host.surface.mouse;
    addMethods(this, names, (_receiver, name, values) =>
      wire.call({ on, page, steps: [] }, name, values),
    );
  }
}

export class Context {
  readonly wire: Wire;

  constructor(wire: Wire) {
    this.wire = wire;
    const target: Target = { on: "context", page: 0, steps: [] };
    addMethods(this, wire.host.surface.context, (_receiver, name, values) =>
      wire.call(target, name, values),
    );
    addRefusals(this, "context", wire.host.surface.refused);
  }

  pages(): Page[] {
    const ids = this.wire.ask({ on: "context", page: 0, steps: [] }, "pages") as number[];
    return ids.map((id) => this.wire.page(id));
  }

  async newPage(): Promise<Page> {
    const id = await this.wire.call({ on: "context", page: 0, steps: [] }, "newPage", []);
    return this.wire.page(Number(id));
  }
}

export class Page {
  readonly wire: Wire;
  readonly target: Target;
  readonly keyboard: Input;
  readonly mouse: Input;
  readonly listeners: Record<string, Listener[]> = {};

  constructor(wire: Wire, id: number) {
    this.wire = wire;
    this.target = { on: "page", page: id, steps: [] };
    this.keyboard = new Input(wire, "keyboard", id);
    this.mouse = new Input(wire, "mouse", id);
    const { surface } = wire.host;
    addMethods(this, surface.page, (_receiver, name, values) =>
      wire.call(this.target, name, values),
    );
    const root = new Locator(wire, id, []);
    addMethods(this, surface.steps, (_receiver, name, values) => root.step(name, values));
    // page.click(selector) is page.locator(selector).first().click().
    addMethods(this, surface.locator, (_receiver, name, [selector, ...values]) =>
      wire.call(this.element(selector).target, name, values),
    );
    addRefusals(this, "page", surface.refused);
  }

  element(selector: unknown): Locator {
    const { page } = this.target;
    return new Locator(this.wire, page, [["locator", selector], ["first"]]);
  }

  url(): string {
    return String(this.wire.ask(this.target, "url"));
  }

  isClosed(): boolean {
    return this.wire.ask(this.target, "isClosed") === true;
  }

  viewportSize(): unknown {
    return this.wire.ask(this.target, "viewportSize");
  }

  context(): Context {
    return new Context(this.wire);
  }

  mainFrame(): Page {
    return this;
  }

  frameLocator(selector: string): FrameLocator {
    return new FrameLocator(this.wire, this.target.page, [["frameLocator", selector]]);
  }

  async $(selector: string): Promise<Locator | null> {
    return await new Locator(this.wire, this.target.page, []).$(selector);
  }

  async $$(selector: string): Promise<Locator[]> {
    return await new Locator(this.wire, this.target.page, [["locator", selector]]).all();
  }

  async $eval(selector: string, run: unknown, value?: unknown): Promise<unknown> {
    return await this.wire.call(this.element(selector).target, "evaluate", [run, value]);
  }

  async $$eval(selector: string, run: unknown, value?: unknown): Promise<unknown> {
    const { page } = this.target;
    return await this.wire.call(
      { on: "locator", page, steps: [["locator", selector]] },
      "evaluateAll",
      [run, value],
    );
  }

  async waitForSelector(
    selector: string,
    options: { state?: string } = {},
  ): Promise<Locator | null> {
    const element = this.element(selector);
    await this.wire.call(element.target, "waitFor", [options]);
    return options.state === "hidden" || options.state === "detached" ? null : element;
  }

  async waitForURL(
    wanted: unknown,
    options: { timeout?: number; waitUntil?: string } = {},
  ): Promise<void> {
    const fits = urlTest(this.wire.host, wanted, this.url());
    const ends = Date.now() + (options.timeout || 30_000);
    for (let url = this.url(); !fits(url); url = this.url()) {
      const timeout = ends - Date.now();
      const late = (): Error => {
        const error = new Error(
          `page.waitForURL: Timeout ${options.timeout ?? 30_000}ms exceeded at ${url}`,
        );
        error.name = "TimeoutError";
        return error;
      };
      if (timeout <= 0) throw late();
      // Patterns are matched here in the interpreter, because an expensive one would block the
      // host.
      const moved = await this.wire.call(this.target, "waitForMove", [url, timeout]);
      if (moved !== true) throw late();
    }
    await this.wire.call(this.target, "waitForLoadState", [options.waitUntil ?? "load"]);
  }

  on(name: string, listener: Listener): Page {
    (this.listeners[name] ??= []).push(listener);
    void this.wire.call(this.target, "listen", [name]);
    return this;
  }

  once(name: string, listener: Listener): Page {
    const heard: Listener = (value) => {
      this.off(name, heard);
      return listener(value);
    };
    return this.on(name, heard);
  }

  off(name: string, listener: Listener): Page {
    this.listeners[name] = (this.listeners[name] ?? []).filter((other) => other !== listener);
    return this;
  }

  waitForEvent(name: string, given: unknown = {}): Promise<unknown> {
    const options = (typeof given === "function" ? { predicate: given } : given) as {
      predicate?: Listener;
      timeout?: number;
    };
    const timeout = options.timeout || 30_000;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.off(name, heard);
        const error = new Error(
          `page.waitForEvent: Timeout ${timeout}ms exceeded while waiting for "${name}"`,
        );
        error.name = "TimeoutError";
        reject(error);
      }, timeout);
      const heard: Listener = async (value) => {
        if (options.predicate !== undefined && !(await options.predicate(value))) return;
        clearTimeout(timer);
        this.off(name, heard);
        resolve(value);
      };
      this.on(name, heard);
    });
  }

  waitForResponse(wanted: unknown, options: { timeout?: number } = {}): Promise<unknown> {
    return this.waitForEvent("response", { ...options, predicate: this.exchangeTest(wanted) });
  }

  waitForRequest(wanted: unknown, options: { timeout?: number } = {}): Promise<unknown> {
    return this.waitForEvent("request", { ...options, predicate: this.exchangeTest(wanted) });
  }

  exchangeTest(wanted: unknown): Listener {
    if (typeof wanted === "function") return wanted as Listener;
    const fits = urlTest(this.wire.host, wanted, this.url());
    return (exchange) => fits((exchange as { url(): string }).url());
  }
}

/** Converts a page event to Playwright's object and dispatches it to the listeners. */
export function hear(wire: Wire, json: string): void {
  const event = JSON.parse(json) as {
    page: number;
    name: string;
    id: number;
    about: Record<string, unknown>;
  };
  const page = wire.page(event.page);
  const value: Record<string, unknown> = {};
  for (const [name, part] of Object.entries(event.about)) value[name] = () => part;
  const act = (name: string) => (text?: string) => wire.call(page.target, name, [event.id, text]);
  if (event.name === "dialog")
    Object.assign(value, { accept: act("acceptDialog"), dismiss: act("dismissDialog") });
  if (event.name === "response") {
    const text = act("responseText");
    Object.assign(value, { text, json: async () => JSON.parse(String(await text())) as unknown });
  }
  const given =
    event.name === "popup"
      ? wire.page(event.id)
      : event.name === "pageerror"
        ? new Error(String(event.about["message"]))
        : value;
  const { [event.name]: listeners = [] } = page.listeners;
  for (const listener of listeners.slice()) {
    Promise.resolve()
      .then(() => listener(given))
      .catch((error: unknown) => wire.host.write("stderr", `${String(error)}\n`));
  }
}
