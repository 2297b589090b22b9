// Server-side request forgery by URL: loopback, link-local and mapped addresses in every spelling
// some parser accepts. Passes if none reaches the canary and each is answered.
import { reportBroke, reportHeld, type HostileCase } from "../../hostile-case.ts";
import { describeReply } from "../../target.ts";

const HOSTS = [
  "127.0.0.1",
  "localhost",
  "LOCALHOST",
  "localhost.",
  "a.localhost",
  "127.1",
  "127.0.1",
  "127.000.000.001",
  "0177.0.0.1",
  "0x7f.0.0.1",
  "0x7f000001",
  "2130706433",
  "017700000001",
  "0",
  "0.0.0.0",
  "127.0.0.1.",
  "127。0。0。1",
  "127.0.0.1",
  "①②⑦.⓪.⓪.①",
  "%31%32%37.0.0.1",
  "[::1]",
  "[::]",
  "[0:0:0:0:0:0:0:1]",
  "[::ffff:127.0.0.1]",
  "[::ffff:7f00:1]",
  "[::127.0.0.1]",
  "[64:ff9b::7f00:1]",
  "[2002:7f00:1::]",
  "user:password@127.0.0.1",
  "allowed.example@127.0.0.1",
] as const;

export const ssrfSpellings: HostileCase = {
  name: "ssrf-spellings",
  attack: "A scrape names loopback in thirty spellings.",
  promise: "No spelling is connected to.",
  severity: "critical",
  budgetMs: 240_000,
  async run({ target, canary }) {
    const failed: string[] = [];
    for (const host of HOSTS) {
      const reply = await target.scrape(`http://${host}:${canary.port}/spelling`, {}, 5_000);
      if (reply.status === 0) failed.push(`${host}: ${describeReply(reply)}`);
    }
    const hits = canary.hits();
    if (hits.length > 0)
      return reportBroke(
        `the canary was reached ${hits.length} times: ${hits.slice(0, 3).join("; ")}`,
      );
    if (failed.length > 0) return reportBroke(`not answered: ${failed.slice(0, 3).join("; ")}`);
    return reportHeld(
      `${HOSTS.length} spellings, the canary was not reached, the control page was`,
    );
  },
};
