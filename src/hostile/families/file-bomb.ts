// Files that expand in their parser. Passes if each is answered in time with a document or a named
// error, in bounded memory, and without a file of the server.
import { reportBroke, reportHeld, type HostileCase } from "../hostile-case.ts";
import { MEMORY_LIMIT_BYTES } from "../limits.ts";
import { describeReply } from "../target.ts";

export type FileBomb = {
  readonly name: string;
  /** Completes "A site serves …". */
  readonly attack: string;
  readonly type: string;
  readonly build: (megabytes: number) => Buffer;
};

export const buildFileBomb = ({ name, attack, type, build }: FileBomb): HostileCase => ({
  name,
  attack: `A site serves ${attack}.`,
  promise: "The file is a document or a named error, in time and in bounded memory.",
  severity: "high",
  budgetMs: 120_000,
  async run({ target, site, isSmall, peakMemory }) {
    const file = build(isSmall ? 100 : 1_000);
    const page = site.serve(
      name,
      (_request, response) => void response.writeHead(200, { "content-type": type }).end(file),
    );
    const reply = await target.scrape(page.url, {}, 30_000);
    if (page.requests() === 0)
      return reportBroke(`the file was never asked for: ${describeReply(reply)}`);
    if (reply.status === 0) return reportBroke(describeReply(reply));
    if (/root:.?:0:0:/.test(reply.text)) return reportBroke("a file of the server was returned");
    const peak = peakMemory();
    if (peak !== undefined && peak > MEMORY_LIMIT_BYTES)
      return reportBroke(`memory rose to ${Math.round(peak / 1024 ** 2)} MiB`);
    return reportHeld(`${file.length} bytes: ${describeReply(reply)}`);
  },
});
