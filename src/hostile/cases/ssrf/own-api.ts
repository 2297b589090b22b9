// The server as its own client: a scrape of its own address would come from a trusted address.
// Passes if the answer has no content of the server's own pages.
import { reportBroke, reportHeld, type HostileCase } from "../../hostile-case.ts";
import { describeReply } from "../../target.ts";

export const ownApi: HostileCase = {
  name: "own-api",
  attack: "A scrape names the server's own address and port.",
  promise: "The server does not request itself.",
  severity: "medium",
  budgetMs: 60_000,
  async run({ target }) {
    const { port, protocol } = new URL(target.url);
    const authority = port === "" ? "" : `:${port}`;
    const urls = [
      target.url,
      `${protocol}//127.0.0.1${authority}`,
      `${protocol}//localhost${authority}`,
    ];
    const seen: string[] = [];
    for (const base of urls)
      for (const path of ["/", "/v2/team/queue-status"]) {
        const reply = await target.scrape(base + path, {}, 8_000);
        const { statusCode } = (reply.data["metadata"] ?? {}) as { readonly statusCode?: number };
        if (reply.status === 200 && reply.body["success"] === true)
          return reportBroke(`${base}${path} was scraped: its page answered ${statusCode}`);
        seen.push(describeReply(reply));
      }
    return reportHeld(`${seen.length} requests to itself were refused: ${seen[0]}`);
  },
};
