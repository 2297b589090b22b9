// Precision and recall of the alerts of ten scripted pages over simulated days with kill -9 at random moments and a receiver
// that is down for a day. Exits with 1 below .98, or when an alert is lost or arrives twice.
//   node bench/monitor-days.ts [--days=200] [--kills=60] [--seed=1] [--database=embedded|postgres]
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import process from "node:process";
import { runMonitorDays } from "../test/compliance/monitor-days.ts";
import { startPostgres } from "../test/postgres.ts";
import { print, readArgument } from "./pages.ts";

const MIN_SCORE = 0.98;
const DAYS_PER_NOTE = 20;

const days = Number(readArgument("days", "200"));
const kills = Number(readArgument("kills", "60"));
const seed = Number(readArgument("seed", "1"));
const database = readArgument("database", "embedded");

const dataDir = await mkdtemp(path.join(os.tmpdir(), "quarry-days-"));
const postgres = database === "postgres" ? await startPostgres() : undefined;
const startedAt = Date.now();
try {
  const report = await runMonitorDays({
    days,
    kills,
    seed,
    dataDir,
    databaseUrl: await postgres?.createDatabase(),
    onDay(day) {
      if (day % DAYS_PER_NOTE === 0) process.stderr.write(`day ${day}\n`);
    },
  });
  const { due, received, doubled, rewritten, wrong, missed } = report;
  const different = received - doubled.length;
  const precision = (different - wrong.length) / different;
  const recall = (due - missed.length) / due;
  const seconds = Math.round((Date.now() - startedAt) / 1_000);
  print({ database, days, kills, seed, seconds, precision, recall, ...report });
  const isHeld =
    precision >= MIN_SCORE && recall >= MIN_SCORE && doubled.length + rewritten.length === 0;
  process.exitCode = isHeld ? 0 : 1;
} finally {
  await postgres?.stop();
  await rm(dataDir, { recursive: true, force: true });
}
