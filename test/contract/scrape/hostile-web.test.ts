// The public suite of hostile sites (quarry hostile) in small size: every case must pass.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CASES } from "../../../src/hostile/cases/index.ts";
import { HostileCallError, runHostile } from "../../../src/hostile/run-hostile.ts";
import { isRemote, startService, type Service } from "../../service.ts";

/** The sites use this address and the canary others: only this one is allowed. */
const ADDRESS = "127.0.0.2";

let service: Service;
beforeAll(async () => {
  service = await startService(undefined, { egressAllow: [ADDRESS], documentMemoryMiB: 512 });
});
afterAll(() => service.close());

const NAMES = CASES.filter(
  ({ name, needs }) => needs?.includes("browser") !== true || name === "ssrf-browser",
).map(({ name }) => name);

describe.skipIf(isRemote)("hostile suite", () => {
  it("passes every case that does not flood the browser", async () => {
    const report = await runHostile({
      target: service.url,
      key: service.key,
      only: NAMES,
      address: ADDRESS,
      isSmall: true,
    });
    expect(report.results.filter(({ outcome }) => outcome !== "held")).toEqual([]);
    expect(report.counts.held).toBe(NAMES.length);
  }, 400_000);

  it("detects a server that allows requests to loopback", async () => {
    const open = await startService(undefined, {
      egressAllow: ["127.0.0.0/8", "localhost"],
      browser: "none",
    });
    try {
      const { results } = await runHostile({
        target: open.url,
        key: open.key,
        only: ["ssrf-spellings", "ssrf-redirects", "ssrf-crawl", "ssrf-browser"],
        address: ADDRESS,
        isSmall: true,
      });
      expect(results.map(({ outcome }) => outcome)).toEqual(["broke", "broke", "broke", "skipped"]);
      for (const { evidence } of results.slice(0, 3))
        expect(evidence).toContain("the canary was reached");
      expect(results[3]?.evidence).toContain("QUARRY_BROWSER is none");
    } finally {
      await open.close();
    }
  }, 120_000);

  it("explains a wrong call of the suite", async () => {
    const call = { target: service.url, key: service.key, address: ADDRESS, isSmall: true };
    for (const [wrong, words] of [
      [{ only: ["no-such-case"] }, "--list lists them"],
      [{ key: "wrong" }, "wants a key"],
      [{ target: "http://127.0.0.1:1" }, "does not answer"],
      [{ address: "127.0.0.3" }, "QUARRY_EGRESS_ALLOW=127.0.0.3"],
    ] as const) {
      const asked = runHostile({ ...call, ...wrong });
      await expect(asked, words).rejects.toThrow(HostileCallError);
      await expect(asked).rejects.toThrow(words);
    }
  }, 60_000);
});
