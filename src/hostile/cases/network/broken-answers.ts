// Answers that contradict their headers: wrong types, lengths and codings, cut bodies, odd headers.
// Passes if each is answered in time with a document or a named error, never with a server error.
import { gzipSync } from "node:zlib";
import { reportBroke, reportHeld, type HostileCase } from "../../hostile-case.ts";
import type { Handle } from "../../hostile-site.ts";
import { describeReply } from "../../target.ts";

const HTML = "<!doctype html><title>Odd</title><p>This page says something else of itself.</p>";

const answer =
  (headers: Record<string, string>, body: string | Buffer): Handle =>
  (_request, response) =>
    void response.writeHead(200, headers).end(body);

const sendRaw =
  (text: string): Handle =>
  (_request, response) =>
    void response.socket?.end(text);

const ANSWERS: readonly Handle[] = [
  answer({ "content-type": "image/png" }, HTML),
  answer({ "content-type": "application/pdf" }, HTML),
  answer({ "content-type": "text/html" }, "%PDF-1.7\n1 0 obj\n<<>>\nendobj\n"),
  answer({ "content-type": "text/html" }, Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 3])),
  answer({ "content-type": "text/html", "content-encoding": "gzip" }, HTML),
  answer(
    { "content-type": "text/html", "content-encoding": "gzip" },
    gzipSync(HTML.repeat(500)).subarray(0, 60),
  ),
  answer({ "content-type": "text/html", "content-encoding": "no-such-coding" }, HTML),
  answer({ "content-type": "text/html; charset=no-such-charset" }, HTML),
  answer({ "content-type": `text/html; charset=${"x".repeat(5_000)}` }, HTML),
  answer({ "content-type": ";;;,,,/" }, HTML),
  answer({ "content-type": "application/json" }, `${"[".repeat(200_000)}`),
  answer({ "content-type": "application/xml" }, "<a>".repeat(100_000)),
  sendRaw(`HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 999999\r\n\r\n${HTML}`),
  sendRaw(`HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: -5\r\n\r\n${HTML}`),
  sendRaw(
    `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n${HTML}`,
  ),
  sendRaw(
    `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 5\r\nContent-Length: 80\r\n\r\n${HTML}`,
  ),
  sendRaw(`HTTP/1.1 999 \r\n\r\n${HTML}`),
  sendRaw(`HTTP/9.9 200 OK\r\n\r\n${HTML}`),
  sendRaw("\0\0\0\0"),
  sendRaw(""),
  sendRaw(`HTTP/1.1 200 OK\r\n${"X-Long: y\r\n".repeat(20_000)}\r\n${HTML}`),
  sendRaw(`HTTP/1.1 302 Found\r\nLocation: http://[\r\n\r\n`),
];

export const brokenAnswers: HostileCase = {
  name: "broken-answers",
  attack: `A site gives ${ANSWERS.length} answers that contradict themselves: types, lengths, codings, cut bodies.`,
  promise: "Each is a document or a named error of the site, in time.",
  severity: "medium",
  budgetMs: 240_000,
  async run({ target, site }) {
    const statuses: number[] = [];
    for (const [index, handle] of ANSWERS.entries()) {
      const page = site.serve("broken", handle);
      const reply = await target.scrape(page.url, {}, 12_000);
      if (reply.status === 0) return reportBroke(`answer ${index + 1}: ${describeReply(reply)}`);
      if (page.requests() === 0)
        return reportBroke(`answer ${index + 1} was never asked for: ${describeReply(reply)}`);
      statuses.push(reply.status);
    }
    return reportHeld(`statuses ${[...new Set(statuses)].join(", ")}`);
  },
};
