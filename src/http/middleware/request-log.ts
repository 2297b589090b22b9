// What a request is logged with. A child of pino is made for its first line: most requests write none, and to make one takes
// longer than to find their route, since what it carries is looked through for secrets.
import type { FastifyBaseLogger } from "fastify";
import type { Bindings, ChildLoggerOptions } from "pino";

type Line = Parameters<FastifyBaseLogger["info"]>;

const LEVELS = ["trace", "debug", "info", "warn", "error", "fatal"] as const;

/** Where lines of a request go; a logger of pino is one. */
export type RequestLogParent = FastifyBaseLogger & {
  isLevelEnabled(level: (typeof LEVELS)[number]): boolean;
};

/** A logger whose lines carry `bindings`. */
export function createRequestLog(
  parent: RequestLogParent,
  bindings: Bindings,
  options?: ChildLoggerOptions,
): FastifyBaseLogger {
  // A route with a level of its own may write what its parent does not.
  if (options?.level !== undefined) return parent.child(bindings, options);
  return new RequestLog(parent, bindings, options);
}

class RequestLog implements FastifyBaseLogger {
  readonly #parent: RequestLogParent;
  readonly #bindings: Bindings;
  readonly #options: ChildLoggerOptions | undefined;
  #made: FastifyBaseLogger | undefined;

  constructor(parent: RequestLogParent, bindings: Bindings, options?: ChildLoggerOptions) {
    this.#parent = parent;
    this.#bindings = bindings;
    this.#options = options;
  }

  get level(): string {
    return this.#made?.level ?? this.#parent.level;
  }

  set level(level: string) {
    this.#child().level = level;
  }

  child(bindings: Bindings, options?: ChildLoggerOptions): FastifyBaseLogger {
    return this.#child().child(bindings, options);
  }

  silent(): void {
    // What is said at this level is for nobody.
  }

  trace(...line: Line): void {
    this.#write("trace", line);
  }

  debug(...line: Line): void {
    this.#write("debug", line);
  }

  info(...line: Line): void {
    this.#write("info", line);
  }

  warn(...line: Line): void {
    this.#write("warn", line);
  }

  error(...line: Line): void {
    this.#write("error", line);
  }

  fatal(...line: Line): void {
    this.#write("fatal", line);
  }

  #child(): FastifyBaseLogger {
    return (this.#made ??= this.#parent.child(this.#bindings, this.#options));
  }

  #write(level: (typeof LEVELS)[number], line: Line): void {
    if (this.#made === undefined && !this.#parent.isLevelEnabled(level)) return;
    this.#child()[level](...line);
  }
}
