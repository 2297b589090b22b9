import type { IncomingHttpHeaders, ServerResponse } from "node:http";

/** One request to a behaviour, and the ways to answer it. */
export type Exchange = {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  /** Base of this site's plain URLs, such as "http://127.0.0.1:40123". */
  readonly origin: string;
  /** Counts an event of this site; counts end with the site. */
  readonly count: (name: string) => number;
  /** The raw response, for behaviours that send slowly, badly or not at all. */
  readonly response: ServerResponse;
  readonly respond: (answer: Answer) => void;
};

export type Answer = {
  readonly status?: number;
  /** Default "text/html; charset=utf-8"; "" sends no Content-Type. */
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly body?: string | Uint8Array;
};

/** The site's behaviour at one path. A path ending in "/*" includes everything below. */
export type Behaviour = {
  readonly path: string;
  /** One line for the list on the front page. */
  readonly about: string;
  readonly answer: (exchange: Exchange) => void | Promise<void>;
};

/** The part of the path matched by "/*". */
export function pathRest(exchange: Exchange, behaviour: string): string {
  return decodeURIComponent(exchange.path.slice(behaviour.length - 1));
}

/** A number from the query, limited to 0 and `most`. */
export function queryNumber(
  exchange: Exchange,
  name: string,
  fallback: number,
  most: number,
): number {
  const value = Number(exchange.query.get(name) ?? fallback);
  return Number.isFinite(value) ? Math.min(Math.max(value, 0), most) : fallback;
}
