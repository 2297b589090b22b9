// Decompression bombs: a small body that decodes to a very large one. Passes if the scrape is
// answered in time and memory does not follow the decoded size.
import { Readable } from "node:stream";
import { reportBroke, reportHeld, type HostileCase } from "../hostile-case.ts";
import { MEMORY_LIMIT_BYTES } from "../limits.ts";
import { describeReply, GRACE_MS } from "../target.ts";

const MEGABYTE = 1_048_576;
const TIMEOUT_MS = 30_000;

export type Encode = (input: Readable) => NodeJS.ReadableStream;

/** HTML that starts like a page and never ends. */
function* generateZeros(megabytes: number): Generator<Buffer> {
  yield Buffer.from("<!doctype html><title>Big</title><p>");
  const chunk = Buffer.alloc(MEGABYTE, "a ");
  for (let index = 0; index < megabytes; index++) yield chunk;
}

/** `coding` is the Content-Encoding, `encode` applies it. */
export const buildDecompressionBomb = (
  name: string,
  coding: string,
  encode: Encode,
): HostileCase => ({
  name,
  attack: `A page in Content-Encoding ${coding} decodes to gigabytes.`,
  promise: "Decoded bytes are bounded; the scrape is answered in time.",
  severity: "high",
  budgetMs: 120_000,
  async run({ target, site, isSmall, peakMemory }) {
    const megabytes = isSmall ? 300 : 4_096;
    const page = site.serve("bomb", (_request, response) => {
      response.writeHead(200, { "content-type": "text/html", "content-encoding": coding });
      const stream = encode(Readable.from(generateZeros(megabytes)));
      stream.on("error", () => response.destroy());
      stream.pipe(response);
      response.once("close", () => stream.unpipe(response));
    });
    const reply = await target.scrape(page.url, {}, TIMEOUT_MS);
    if (page.requests() === 0)
      return reportBroke(`the page was never asked for: ${describeReply(reply)}`);
    if (reply.status === 0)
      return reportBroke(`${describeReply(reply)}, ${GRACE_MS} ms after its timeout`);
    if (reply.text.length > 64 * MEGABYTE)
      return reportBroke(`the answer has ${reply.text.length} characters`);
    const peak = peakMemory();
    if (peak !== undefined && peak > MEMORY_LIMIT_BYTES)
      return reportBroke(`memory rose to ${Math.round(peak / MEGABYTE)} MiB`);
    return reportHeld(`${megabytes} MiB decoded: ${describeReply(reply)}`);
  },
});
