// The cases of quarry hostile that flood the browser, in small size.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CASES } from "../../../src/hostile/cases/index.ts";
import { runHostile } from "../../../src/hostile/run-hostile.ts";
import { isRemote, startService, type Service } from "../../service.ts";

const ADDRESS = "127.0.0.2";
const NAMES = CASES.filter(
  ({ name, needs }) => needs?.includes("browser") === true && name !== "ssrf-browser",
).map(({ name }) => name);

let service: Service;
beforeAll(async () => {
  service = await startService(undefined, { egressAllow: [ADDRESS] });
});
afterAll(() => service.close());

describe.skipIf(isRemote)("pages that flood the browser", () => {
  it("survives each page that floods the browser", async () => {
    const report = await runHostile({
      target: service.url,
      key: service.key,
      only: NAMES,
      address: ADDRESS,
      isSmall: true,
    });
    expect(report.results.filter(({ outcome }) => outcome !== "held")).toEqual([]);
    expect(report.counts.held).toBe(NAMES.length);
  }, 600_000);
});
