import { setTimeout as delay } from "node:timers/promises";
import { type Behaviour, type Exchange, queryNumber } from "../behaviour.ts";
import { ARTICLE, htmlPage } from "../html-page.ts";

const MAX_MS = 60_000;

// Waits, or stops and returns false when the client is gone.
async function pause({ response }: Exchange, milliseconds: number): Promise<boolean> {
  const gone = new AbortController();
  const abort = (): void => gone.abort();
  response.once("close", abort);
  try {
    await delay(milliseconds, undefined, { signal: gone.signal });
    return !response.destroyed;
  } catch {
    return false;
  } finally {
    response.off("close", abort);
  }
}

/** Slow and endless responses. */
export const slow: readonly Behaviour[] = [
  {
    path: "/slow/headers",
    about: "waits ?milliseconds= (2000) before anything",
    answer: async (exchange) => {
      if (!(await pause(exchange, queryNumber(exchange, "milliseconds", 2_000, MAX_MS)))) return;
      exchange.respond({ body: htmlPage({ title: "Late", body: ARTICLE }) });
    },
  },
  {
    path: "/slow/body",
    about: "headers at once, the body in ten parts over ?milliseconds= (2000)",
    answer: async (exchange) => {
      const html = htmlPage({ title: "Slow", body: ARTICLE });
      const milliseconds = queryNumber(exchange, "milliseconds", 2_000, MAX_MS);
      exchange.response.writeHead(200, { "content-type": "text/html; charset=utf-8" });
      const size = Math.ceil(html.length / 10);
      for (let at = 0; at < html.length; at += size) {
        exchange.response.write(html.slice(at, at + size));
        if (!(await pause(exchange, milliseconds / 10))) return;
      }
      exchange.response.end();
    },
  },
  {
    path: "/slow/silent",
    about: "headers, half a sentence, then nothing for ever",
    answer: ({ response }) => {
      response.writeHead(200, { "content-type": "text/html; charset=utf-8" });
      response.write("<p>The pilot boat left the quay and");
    },
  },
  {
    path: "/slow/never",
    about: "takes the request and never answers",
    answer: () => undefined,
  },
  {
    path: "/endless",
    about: "a body that goes on as long as anyone reads",
    answer: async (exchange) => {
      const { response } = exchange;
      response.writeHead(200, { "content-type": "text/html; charset=utf-8" });
      response.write("<!doctype html><title>Tide log</title><h1>Tide log</h1>");
      const chunk =
        "<p>High water at the north pier, wind from the west, no vessel in sight.</p>\n".repeat(
          800,
        );
      while (!response.destroyed) {
        if (response.write(chunk)) {
          if (!(await pause(exchange, 1))) return;
        } else {
          await drained(exchange);
        }
      }
    },
  },
];

function drained({ response }: Exchange): Promise<void> {
  return new Promise((resolve) => {
    response.once("drain", resolve);
    response.once("close", () => resolve());
  });
}
