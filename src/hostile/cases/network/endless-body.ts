// An endless text, sent as fast as it is read: only a limit on bytes ends it.
import { endlessAnswer, scrapeSlowly } from "../../families/slow-body.ts";
import { reportBroke, reportHeld, type HostileCase } from "../../hostile-case.ts";
import { streamChunks } from "../../hostile-site.ts";

const MAX_TAKEN_BYTES = 1024 ** 3;

export const endlessBody: HostileCase = {
  ...endlessAnswer,
  name: "endless-body",
  attack: "A page sends text as fast as it is read, without end.",
  promise: "The body is bounded, the connection is closed.",
  async run(context) {
    const taken = Promise.withResolvers<number>();
    const chunk = `<p>${"words of a page without end ".repeat(2_000)}</p>\n`;
    const finding = await scrapeSlowly(context, async (_request, response) => {
      response.writeHead(200, { "content-type": "text/html" });
      taken.resolve(await streamChunks(response, () => chunk));
    });
    if (finding.outcome !== "held") return finding;
    const bytes = await taken.promise;
    if (bytes > MAX_TAKEN_BYTES)
      return reportBroke(`${Math.round(bytes / 1024 ** 2)} MiB were read`);
    return reportHeld(
      `${finding.evidence}; the connection was closed after ${Math.round(bytes / 1024 ** 2)} MiB`,
    );
  },
};
