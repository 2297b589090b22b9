import { describe, expect, it } from "vitest";
import { SiteTally } from "./site-tally.ts";

const page = (...hashes: number[]): Int32Array => Int32Array.from(hashes);

describe("site text tally", () => {
  it("reports no repeated text before four pages were seen", () => {
    const tally = new SiteTally();
    for (const own of [1, 2, 3]) tally.add(page(7, own));
    expect([...tally.listRepeated()]).toEqual([]);
    tally.add(page(7, 4));
    expect([...tally.listRepeated()]).toEqual([7]);
  });

  it("requires a text on six of ten pages", () => {
    const tally = new SiteTally();
    for (let own = 0; own < 10; own++)
      tally.add(page(100 + own, ...(own < 6 ? [7] : []), ...(own < 5 ? [8] : [])));
    expect([...tally.listRepeated()]).toEqual([7]);
  });

  it("round-trips a tally through its serialization", () => {
    const tally = new SiteTally();
    for (let own = 0; own < 6; own++) tally.add(page(-2_000_000_000, own, 7));
    const again = SiteTally.parse(tally.toBytes());
    expect(again.toBytes()).toEqual(tally.toBytes());
    expect([...again.listRepeated()]).toEqual([-2_000_000_000, 7]);
  });

  it("adapts to the next section of a site and forgets the previous one", () => {
    const tally = new SiteTally();
    for (let own = 0; own < 190; own++) tally.add(page(7, 1_000 + own));
    for (let own = 0; own < 400; own++) tally.add(page(8, 2_000 + own));
    expect([...tally.listRepeated()]).toEqual([8]);
  });

  it("bounds the tally over endless pages and keeps their repeated texts", () => {
    const tally = new SiteTally();
    for (let own = 0; own < 150; own++)
      tally.add(page(7, ...Array.from({ length: 100 }, (_, index) => 1_000 + own * 100 + index)));
    expect(tally.toBytes().byteLength).toBeLessThan(13_000);
    expect([...tally.listRepeated()]).toEqual([7]);
  });
});
