// Requests that code answers itself: each waits for the code's answer, within bounds of number and
// time, and continues unchanged otherwise. No answer opens a connection of its own.
import type { BrowserContext, Page, Request, Route } from "playwright-core";
import { z } from "zod";

/** Requests that wait at once; further ones continue unanswered. */
const MAX_WAITING = 100;
/** The code answers within this time, or the request continues. */
const ANSWER_TIMEOUT_MS = 10_000;
const MAX_BODY_CHARACTERS = 2_000_000;
const MAX_POST_DATA_CHARACTERS = 20_000;

const ANY = /^/;

/** Header values must not end the header. */
const headers = z
  .record(z.string().regex(/^[\w!#$%&'*+.^`|~-]{1,200}$/), z.string().max(10_000))
  .refine((given) => Object.keys(given).length <= 100, "at most 100 headers")
  .refine(
    (given) => Object.values(given).every((value) => !/[\0\r\n]/.test(value)),
    "header values have no line breaks",
  );
const bytes = z
  .strictObject({ $binary: z.base64().max(MAX_BODY_CHARACTERS) })
  .transform(({ $binary }) => Buffer.from($binary, "base64"));
const ANSWERS = {
  abort: z.strictObject({
    reason: z.enum([
      "aborted",
      "accessdenied",
      "addressunreachable",
      "blockedbyclient",
      "blockedbyresponse",
      "connectionaborted",
      "connectionclosed",
      "connectionfailed",
      "connectionrefused",
      "connectionreset",
      "internetdisconnected",
      "namenotresolved",
      "timedout",
      "failed",
    ]),
  }),
  continue: z
    .strictObject({
      method: z.string().regex(/^[A-Z]{1,20}$/),
      postData: z.union([z.string().max(MAX_BODY_CHARACTERS), bytes]),
    })
    .partial(),
  fulfill: z
    .strictObject({
      status: z.int().min(200).max(599),
      headers,
      contentType: z.string().max(200),
      body: z.union([z.string().max(MAX_BODY_CHARACTERS), bytes]),
    })
    .partial(),
};

export type RouteEvent = { readonly id: number; readonly about: Record<string, unknown> };

export type RouteRequestsParts = {
  readonly context: BrowserContext;
  /** Sends a request to the code. False if the code does not take it. */
  readonly tell: (page: Page, event: RouteEvent) => boolean;
  /** Documents of other addresses are not answered by code; undefined allows all. */
  readonly mayVisit: ((url: URL) => boolean) | undefined;
};

type PendingRoute = { readonly route: Route; readonly timer: NodeJS.Timeout };

export class RouteRequests {
  readonly #parts: RouteRequestsParts;
  readonly #waiting = new Map<number, PendingRoute>();
  #listening = false;
  #running = false;
  #last = 0;

  constructor(parts: RouteRequestsParts) {
    this.#parts = parts;
  }

  async listen(isOn: boolean): Promise<void> {
    if (isOn === this.#listening) return;
    this.#listening = isOn;
    const { context } = this.#parts;
    await (isOn ? context.route(ANY, this.#onRoute) : context.unroute(ANY, this.#onRoute));
  }

  /** Code can answer while it runs; between runs every request continues unchanged. */
  setRunning(isRunning: boolean): void {
    this.#running = isRunning;
    if (!isRunning) for (const id of this.#waiting.keys()) void this.#continueRoute(id);
  }

  async answer(id: unknown, kind: unknown, options: unknown): Promise<void> {
    const route = this.#take(Number(id));
    if (route === undefined)
      throw new Error(
        "The request is no longer waiting: it was answered, or continued after its time limit or the end of the code.",
      );
    try {
      if (kind === "abort") await route.abort(ANSWERS.abort.parse(options).reason);
      else if (kind === "fulfill") await this.#fulfillRoute(route, ANSWERS.fulfill.parse(options));
      else await route.fallback(dropUndefined(ANSWERS.continue.parse(options)));
    } catch (error) {
      await route.fallback().catch(() => undefined);
      if (error instanceof z.ZodError) throw new TypeError(describeFault(String(kind), error));
      throw error;
    }
  }

  async #fulfillRoute(route: Route, answer: z.output<typeof ANSWERS.fulfill>): Promise<void> {
    const request = route.request();
    const url = new URL(request.url());
    if (request.isNavigationRequest() && this.#parts.mayVisit?.(url) === false)
      throw new TypeError(`route.fulfill: this key may not open ${url.host}.`);
    await route.fulfill(dropUndefined(answer));
  }

  readonly #onRoute = async (route: Route): Promise<void> => {
    const request = route.request();
    const page = findPage(request);
    if (!this.#running || page === undefined || this.#waiting.size >= MAX_WAITING)
      return await route.fallback();
    const id = ++this.#last;
    const timer = setTimeout(() => void this.#continueRoute(id), ANSWER_TIMEOUT_MS);
    this.#waiting.set(id, { route, timer });
    if (!this.#parts.tell(page, { id, about: describe(request) })) await this.#continueRoute(id);
  };

  #take(id: number): Route | undefined {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    clearTimeout(waiting?.timer);
    return waiting?.route;
  }

  async #continueRoute(id: number): Promise<void> {
    await this.#take(id)
      ?.fallback()
      .catch(() => undefined);
  }
}

/** Undefined for service workers and windows that do not exist yet. */
function findPage(request: Request): Page | undefined {
  try {
    return request.frame().page();
  } catch {
    return undefined;
  }
}

const describe = (request: Request): Record<string, unknown> => ({
  url: request.url(),
  method: request.method(),
  resourceType: request.resourceType(),
  headers: request.headers(),
  postData: (request.postData() ?? "").slice(0, MAX_POST_DATA_CHARACTERS) || null,
  isNavigationRequest: request.isNavigationRequest(),
});

type DefinedFields<Fields> = { [Key in keyof Fields]: Exclude<Fields[Key], undefined> };
const dropUndefined = <Fields extends object>(fields: Fields): DefinedFields<Fields> =>
  Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as DefinedFields<Fields>;

function describeFault(kind: string, { issues }: z.ZodError): string {
  const [issue] = issues;
  const where = issue === undefined ? "" : issue.path.map(String).join(".");
  return `route.${kind}: ${where === "" ? "" : `${where}: `}${issue?.message ?? "not allowed here"}`;
}
