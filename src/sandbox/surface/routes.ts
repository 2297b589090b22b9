// Request handling of code: the answer to a navigation, and routes.
import type { Host } from "./host.ts";
import { compileUrlTest } from "./values.ts";

/** The answer to a navigation, with Playwright's methods. */
export class RouteAnswer {
  readonly given: Record<string, unknown>;

  constructor(answer: Record<string, unknown>) {
    const given = Object.fromEntries(
      Object.entries(answer).filter(([name]) => name !== "$response"),
    );
    this.given = given;
    for (const [name, value] of Object.entries(given))
      Object.defineProperty(this, name, { value: () => value });
  }

  toJSON(): unknown {
    return this.given;
  }
}

/** A request that a route has stopped. */
export class Route {
  readonly send: (kind: string, options: unknown) => Promise<unknown>;
  readonly about: Record<string, unknown>;
  isHandled = false;
  fellBack = false;

  constructor(
    send: (kind: string, options: unknown) => Promise<unknown>,
    about: Record<string, unknown>,
  ) {
    this.send = send;
    this.about = about;
  }

  request(): Record<string, unknown> {
    const { about } = this;
    const request: Record<string, unknown> = {
      postDataJSON: () => JSON.parse(String(about["postData"])) as unknown,
    };
    for (const [name, value] of Object.entries(about)) request[name] = () => value;
    return request;
  }

  async end(kind: string, options: unknown): Promise<void> {
    if (this.isHandled) throw new Error("Route is already handled!");
    this.isHandled = true;
    await this.send(kind, options);
  }

  async abort(reason = "failed"): Promise<void> {
    await this.end("abort", { reason });
  }

  async fulfill(given: { json?: unknown } & Record<string, unknown> = {}): Promise<void> {
    const { json, ...options } = given;
    for (const name of ["path", "response"])
      if (name in options)
        throw new Error(
          `route.fulfill: ${name} is not available here: give status, headers, contentType and body.`,
        );
    const isJson = json !== undefined;
    await this.end("fulfill", {
      ...options,
      ...(isJson
        ? { body: JSON.stringify(json), contentType: options["contentType"] ?? "application/json" }
        : {}),
    });
  }

  async continue(options: Record<string, unknown> = {}): Promise<void> {
    for (const name of ["url", "headers"])
      if (name in options)
        throw new Error(
          `route.continue: ${name} is not available here: ${name === "url" ? "use page.goto or route.fulfill" : "use page.setExtraHTTPHeaders"}.`,
        );
    await this.end("continue", options);
  }

  async fallback(): Promise<void> {
    this.fellBack = true;
  }

  async fetch(): Promise<never> {
    throw new Error(
      "route.fetch is not available here: use route.fulfill with a body, or page.evaluate(() => fetch(…)).",
    );
  }
}

export type RouteHandler = (route: Route, request: unknown) => unknown;
export type RouteRule = {
  readonly wanted: unknown;
  readonly fits: (url: string) => boolean;
  readonly run: RouteHandler;
  timesLeft: number;
};

/** Routes of a page or context: the one added last goes first. */
export class RouteRules {
  rules: RouteRule[] = [];

  add(
    host: Host,
    base: string,
    wanted: unknown,
    run: RouteHandler,
    times: number | undefined,
  ): void {
    this.rules.push({
      wanted,
      fits: compileUrlTest(host, wanted, base),
      run,
      timesLeft: times ?? Infinity,
    });
  }

  remove(wanted: unknown, run?: RouteHandler): void {
    const isSame = (rule: RouteRule): boolean =>
      String(rule.wanted) === String(wanted) && (run === undefined || run === rule.run);
    this.rules = wanted === undefined ? [] : this.rules.filter((rule) => !isSame(rule));
  }

  /** Runs the rules that fit until one answers. */
  async apply(route: Route): Promise<void> {
    const url = String(route.about["url"]);
    for (const rule of this.rules.slice().reverse()) {
      if (route.isHandled || rule.timesLeft <= 0 || !rule.fits(url)) continue;
      rule.timesLeft -= 1;
      route.fellBack = false;
      await rule.run(route, route.request());
      // A handler may answer later, after its promise; only a fallback passes the request on.
      if (!route.fellBack) return;
    }
    if (!route.isHandled) await route.continue();
  }
}
