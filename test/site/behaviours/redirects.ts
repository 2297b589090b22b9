import type { Behaviour, Exchange } from "../behaviour.ts";
import { pathRest } from "../behaviour.ts";

const send = ({ respond }: Exchange, status: number, location: string): void =>
  respond({
    status,
    headers: { location },
    body: `<p>Moved to <a href="${location}">another page</a>.</p>`,
  });

const FIXED: Readonly<Record<string, string>> = {
  relative: "../article",
  query: "?arrived=yes",
  loop: "/redirect/loop",
  ping: "/redirect/pong",
  pong: "/redirect/ping",
  private: "http://10.0.0.1/",
  metadata: "http://169.254.169.254/latest/",
  localhost: "http://localhost:1/",
  mapped: "http://[::ffff:127.0.0.1]:1/",
  decimal: "http://2130706433:1/",
  file: "file:///etc/passwd",
  data: "data:text/html,<p>hello</p>",
  javascript: "javascript:alert(1)",
  ftp: "ftp://127.0.0.1/",
  broken: "http://[not-an-address",
  spaces: "/article?note=two words",
  unicode: "/article?ort=Köln",
  fragment: "/article#basalt",
};

/** Redirects: every status, chains, loops, forbidden targets. */
export const redirects: readonly Behaviour[] = [
  {
    path: "/redirect/to",
    about: "to ?url= with ?status= (302)",
    answer: (exchange) =>
      send(
        exchange,
        Number(exchange.query.get("status") ?? 302),
        exchange.query.get("url") ?? "/article",
      ),
  },
  {
    path: "/redirect/chain/*",
    about: "that many hops, then the article",
    answer: (exchange) => {
      const left = Number(pathRest(exchange, "/redirect/chain/*"));
      send(exchange, 302, left > 1 ? `/redirect/chain/${left - 1}` : "/article");
    },
  },
  {
    path: "/redirect/none",
    about: "302 without a Location",
    answer: ({ respond }) =>
      respond({ status: 302, body: "<p>This way, said the sign, and pointed nowhere.</p>" }),
  },
  {
    path: "/redirect/*",
    about:
      "301, 302, 303, 307, 308 to the article; relative, loop, private, metadata, file, data and more",
    answer: (exchange) => {
      const name = pathRest(exchange, "/redirect/*");
      const status = Number(name);
      if ([301, 302, 303, 307, 308].includes(status)) return send(exchange, status, "/article");
      const location = FIXED[name];
      return location === undefined
        ? exchange.respond({ status: 404, body: "No such redirect" })
        : send(exchange, 302, encodeLatin(location));
    },
  },
  {
    path: "/meta-refresh",
    about: "a page that sends the reader on by meta refresh",
    answer: ({ respond }) =>
      respond({
        body: `<!doctype html><html><head><meta http-equiv="refresh" content="0; url=/article"><title>Moved</title></head><body><p>This page has <a href="/article">moved</a>.</p></body></html>`,
      }),
  },
];

// Header values are bytes; careless servers send UTF-8.
function encodeLatin(text: string): string {
  return Buffer.from(text).toString("latin1");
}
