// Playwright's objects for the code. They hold no handles: a page is a number, a locator is a list
// of steps.
import { addMethods, addRefusals, type Host, type Step, type Target } from "./host.ts";
import { RouteRules, type RouteHandler } from "./routes.ts";
import { decode, encode, compileUrlTest } from "./values.ts";

type Listener = (value: unknown) => unknown;

/** Sends calls and receives events. */
export class Wire {
  readonly host: Host;
  readonly pages = new Map<number, Page>();
  /** Routes of the context. */
  readonly routes = new RouteRules();

  constructor(host: Host) {
    this.host = host;
  }

  /** Stops looking at requests once no route is left. */
  async releaseRoutes(): Promise<void> {
    const all = [this.routes, ...Array.from(this.pages.values(), ({ routes }) => routes)];
    if (all.some(({ rules }) => rules.length > 0)) return;
    await this.call({ on: "page", page: 1, steps: [] }, "listenToRoutes", [false]);
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

  async route(wanted: unknown, run: RouteHandler, options: { times?: number } = {}): Promise<void> {
    const [page] = this.pages();
    this.wire.routes.add(this.wire.host, page?.url() ?? "", wanted, run, options.times);
    await this.wire.call(
      { on: "page", page: page?.target.page ?? 1, steps: [] },
      "listenToRoutes",
      [true],
    );
  }

  async unroute(wanted: unknown, run?: RouteHandler): Promise<void> {
    this.wire.routes.remove(wanted, run);
    await this.wire.releaseRoutes();
  }

  async newPage(): Promise<Page> {
    const id = await this.wire.call({ on: "context", page: 0, steps: [] }, "newPage", []);
    return this.wire.page(Number(id));
  }
}

/** Members that pages and frames share: elements by selectors. */
export class Root {
  readonly wire: Wire;
  readonly target: Target;

  constructor(wire: Wire, target: Target) {
    this.wire = wire;
    this.target = target;
  }

  element(selector: unknown): Locator {
    return this.all(selector).step("first", []);
  }

  all(selector: unknown): Locator {
    const { page, steps } = this.target;
    return new Locator(this.wire, page, [...steps, ["locator", selector]]);
  }

  frameLocator(selector: string): FrameLocator {
    const { page, steps } = this.target;
    return new FrameLocator(this.wire, page, [...steps, ["frameLocator", selector]]);
  }

  async $(selector: string): Promise<Locator | null> {
    const found = this.element(selector);
    return (await this.wire.call(found.target, "count", [])) === 0 ? null : found;
  }

  async $$(selector: string): Promise<Locator[]> {
    return await this.all(selector).all();
  }

  async $eval(selector: string, run: unknown, value?: unknown): Promise<unknown> {
    return await this.wire.call(this.element(selector).target, "evaluate", [run, value]);
  }

  async $$eval(selector: string, run: unknown, value?: unknown): Promise<unknown> {
    return await this.wire.call(this.all(selector).target, "evaluateAll", [run, value]);
  }

  async waitForSelector(
    selector: string,
    options: { state?: string } = {},
  ): Promise<Locator | null> {
    const element = this.element(selector);
    await this.wire.call(element.target, "waitFor", [options]);
    return options.state === "hidden" || options.state === "detached" ? null : element;
  }
}

/** A frame below the page's own. */
export class Frame extends Root {
  readonly parent: number | undefined;

  constructor(wire: Wire, page: number, id: number, parent: number | undefined) {
    super(wire, { on: "frame", page, steps: [["frame", id]] });
    this.parent = parent;
  }

  url(): string {
    return String(this.wire.ask(this.target, "url"));
  }

  name(): string {
    return String(this.wire.ask(this.target, "name"));
  }

  isDetached(): boolean {
    return this.wire.ask(this.target, "isDetached") === true;
  }

  page(): Page {
    return this.wire.page(this.target.page);
  }

  parentFrame(): Frame | Page | null {
    const page = this.page();
    return this.parent === undefined
      ? page
      : (page
          .frames()
          .find((frame) => frame instanceof Frame && frame.target.steps[0]?.[1] === this.parent) ??
          null);
  }
}

export class Page extends Root {
  readonly keyboard: Input;
  readonly mouse: Input;
  readonly routes = new RouteRules();
  readonly listeners: Record<string, Listener[]> = {};

  constructor(wire: Wire, id: number) {
    super(wire, { on: "page", page: id, steps: [] });
    this.keyboard = new Input(wire, "keyboard", id);
    this.mouse = new Input(wire, "mouse", id);
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

  frames(): (Page | Frame)[] {
    const found = this.wire.ask(this.target, "frames") as { id: number; parent?: number }[];
    return [
      this,
      ...found.map(({ id, parent }) => new Frame(this.wire, this.target.page, id, parent)),
    ];
  }

  frame(wanted: unknown): Frame | null {
    const { name, url } = (typeof wanted === "string" ? { name: wanted } : wanted) as {
      name?: string;
      url?: unknown;
    };
    const fits = url === undefined ? () => true : compileUrlTest(this.wire.host, url, this.url());
    const found = this.frames().find(
      (frame) =>
        frame instanceof Frame &&
        (name === undefined || frame.name() === name) &&
        fits(frame.url()),
    );
    return found instanceof Frame ? found : null;
  }

  setDefaultTimeout(timeout: number): void {
    this.wire.ask(this.target, "setDefaultTimeout", [timeout]);
  }

  setDefaultNavigationTimeout(timeout: number): void {
    this.wire.ask(this.target, "setDefaultNavigationTimeout", [timeout]);
  }

  async route(wanted: unknown, run: RouteHandler, options: { times?: number } = {}): Promise<void> {
    this.routes.add(this.wire.host, this.url(), wanted, run, options.times);
    await this.wire.call(this.target, "listenToRoutes", [true]);
  }

  async unroute(wanted: unknown, run?: RouteHandler): Promise<void> {
    this.routes.remove(wanted, run);
    await this.wire.releaseRoutes();
  }

  async unrouteAll(): Promise<void> {
    await this.unroute(undefined);
  }

  async waitForURL(
    wanted: unknown,
    options: { timeout?: number; waitUntil?: string } = {},
  ): Promise<void> {
    const fits = compileUrlTest(this.wire.host, wanted, this.url());
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
    const fits = compileUrlTest(this.wire.host, wanted, this.url());
    return (exchange) => fits((exchange as { url(): string }).url());
  }
}
