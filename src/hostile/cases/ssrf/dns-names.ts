// Names that resolve to this machine, as in DNS rebinding. Without its own name server the suite
// cannot change an answer between check and connection, so it uses existing local names. Passes if
// no name reaches the canary.
import { hostname } from "node:os";
import { lookup } from "node:dns/promises";
import { reportBroke, reportHeld, reportSkipped, type HostileCase } from "../../hostile-case.ts";

const CANDIDATES = [
  "ip6-localhost",
  "ip6-loopback",
  "localhost.localdomain",
  "localhost6",
  "localtest.me",
  "127.0.0.1.nip.io",
];

export const dnsNames: HostileCase = {
  name: "dns-names",
  attack: "A scrape uses names that resolve to loopback on this machine.",
  promise: "The address that a name resolves to is judged, not the name.",
  severity: "critical",
  budgetMs: 120_000,
  async run({ target, canary }) {
    const names: string[] = [];
    for (const name of [hostname(), ...CANDIDATES]) {
      const found = await lookup(name, { all: true }).catch(() => []);
      if (found.some(({ address }) => address.startsWith("127.") || address === "::1"))
        names.push(name);
    }
    if (names.length === 0) return reportSkipped("no name on this machine resolves to loopback");
    for (const name of names) await target.scrape(`http://${name}:${canary.port}/name`, {}, 6_000);
    const hits = canary.hits();
    if (hits.length > 0) return reportBroke(`the canary was reached through ${names.join(", ")}`);
    return reportHeld(`${names.join(", ")} resolve to loopback; the canary was not reached`);
  },
};
