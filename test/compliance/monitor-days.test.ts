// A short version of bench/monitor-days.ts, on both databases.
import { expect, it } from "vitest";
import { describeDatabases } from "../databases.ts";
import { runMonitorDays } from "./monitor-days.ts";

const DAYS = 10;
const KILLS = 4;

describeDatabases("days of monitors", (configure) => {
  it(
    `notifies each edit once over ${DAYS} days and ${KILLS} kills`,
    { timeout: 400_000 },
    async () => {
      const { dataDir, databaseUrl } = await configure();
      const report = await runMonitorDays({
        days: DAYS,
        kills: KILLS,
        seed: databaseUrl === undefined ? 1 : 2,
        dataDir,
        databaseUrl: databaseUrl?.reveal(),
      });
      const text = JSON.stringify(report);
      expect(report.due, text).toBeGreaterThan(20);
      expect(report.doubled, text).toEqual([]);
      expect(report.rewritten, text).toEqual([]);
      // One alert of so few is more than two percent.
      expect(report.wrong.length, text).toBeLessThanOrEqual(1);
      expect(report.missed.length, text).toBeLessThanOrEqual(1);
    },
  );
});
