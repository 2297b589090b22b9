import type { IncomingHttpHeaders, ServerResponse } from "node:http";

/** One request as a behaviour sees it, and the ways to answer it. */
export type Exchange = {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  /** Start of this site's plain addresses, such as "http://127.0.0.1:40123". */
  readonly origin: string;
  /** How often something happened on this site; counts live and die with it. */
  readonly count: (name: string) => number;
  /** The bare response, for behaviours that send slowly, badly or not at all. */
  readonly response: ServerResponse;
  readonly respond: (answer: Answer) => void;
};

export type Answer = {
  readonly status?: number;
  /** "text/html; charset=utf-8" unless said; "" sends no Content-Type. */
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly body?: string | Uint8Array;
};

/** What the site does at one address. A path ending in "/*" also takes everything below it. */
export type Behaviour = {
  readonly path: string;
  /** One line for the list on the front page. */
  readonly about: string;
  readonly answer: (exchange: Exchange) => void | Promise<void>;
};

/** The part of the path that "/*" stood for. */
export function pathRest(exchange: Exchange, behaviour: string): string {
  return decodeURIComponent(exchange.path.slice(behaviour.length - 1));
}

/** A number from the query, held within 0 and `most`. */
export function queryNumber(
  exchange: Exchange,
  name: string,
  fallback: number,
  most: number,
): number {
  const value = Number(exchange.query.get(name) ?? fallback);
  return Number.isFinite(value) ? Math.min(Math.max(value, 0), most) : fallback;
}
