// Endless bodies, by size or time: endless text, one byte per second, dripping headers, no answer
// at all. Passes if the scrape is answered soon after its timeout and the body is bounded.
import { broke, held, type CaseContext, type Finding, type HostileCase } from "../hostile-case.ts";
import { pour, type Handle } from "../hostile-site.ts";
import { describeReply } from "../target.ts";

const TIMEOUT_MS = 6_000;
const SMALL_TIMEOUT_MS = 2_000;
const MAX_TAKEN_BYTES = 1024 ** 3;

async function judge({ target, site, isSmall }: CaseContext, handle: Handle): Promise<Finding> {
  const page = site.serve("slow", handle);
  const timeoutMs = isSmall ? SMALL_TIMEOUT_MS : TIMEOUT_MS;
  const reply = await target.scrape(page.url, {}, timeoutMs);
  if (page.requests() === 0) return broke(`the page was never asked for: ${describeReply(reply)}`);
  if (reply.status === 0)
    return broke(`${describeReply(reply)}; the timeout of the scrape was ${timeoutMs} ms`);
  return held(describeReply(reply));
}

const common = {
  promise: "The scrape ends with its timeout.",
  severity: "high",
  budgetMs: 45_000,
} as const;

export const slowBodies: readonly HostileCase[] = [
  {
    ...common,
    name: "endless-body",
    attack: "A page sends text as fast as it is read, without end.",
    promise: "The body is bounded, the connection is closed.",
    async run(context) {
      const taken = Promise.withResolvers<number>();
      const chunk = `<p>${"words of a page without end ".repeat(2_000)}</p>\n`;
      const finding = await judge(context, async (_request, response) => {
        response.writeHead(200, { "content-type": "text/html" });
        taken.resolve(await pour(response, () => chunk));
      });
      if (finding.outcome !== "held") return finding;
      const bytes = await taken.promise;
      if (bytes > MAX_TAKEN_BYTES) return broke(`${Math.round(bytes / 1024 ** 2)} MiB were read`);
      return held(
        `${finding.evidence}; the connection was closed after ${Math.round(bytes / 1024 ** 2)} MiB`,
      );
    },
  },
  {
    ...common,
    name: "slow-body",
    attack: "A page sends one byte a second.",
    run: (context) =>
      judge(context, (_request, response) => {
        response.writeHead(200, { "content-type": "text/html" });
        const timer = setInterval(() => response.write("a"), 1_000);
        response.once("close", () => clearInterval(timer));
      }),
  },
  {
    ...common,
    name: "slow-headers",
    attack: "A page sends one header line a second.",
    run: (context) =>
      judge(context, (_request, response) => {
        const { socket } = response;
        socket?.write("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n");
        const timer = setInterval(() => socket?.write(`X-Drip-${Date.now()}: 1\r\n`), 1_000);
        socket?.once("close", () => clearInterval(timer));
      }),
  },
  {
    ...common,
    name: "silent-server",
    attack: "A page takes the request and never answers.",
    run: (context) => judge(context, () => undefined),
  },
];
