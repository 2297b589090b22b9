// Breaks what the service stands on while it crawls, and counts what was lost: kill -9 of its processes on both databases,
// database restarts, browser kills, an S3 outage, a full disk, a missing blob folder. Prints a table for docs/benchmarks.md
// and exits with 1 when something was lost or a check failed. About half an hour on two cores.
//   npm run faults [-- --only=kills-pglite,browser-kills] [--kills=100] [--restarts=20] [--browser-kills=20] [--seed=1]
import process from "node:process";
import { blobOutage } from "./faults/blob-outage.ts";
import { browserKills } from "./faults/browser-kills.ts";
import { databaseRestarts } from "./faults/database-restarts.ts";
import { blobsReplaced, fullDisk } from "./faults/full-disk.ts";
import { killsOnPglite, killsOnPostgres } from "./faults/process-kills.ts";
import { isHeld, type Row, type Scenario } from "./faults/scenario.ts";
import { readArgument, print, USAGE_EXIT_CODE } from "./pages.ts";

const SCENARIOS: readonly Scenario[] = [
  killsOnPglite,
  killsOnPostgres,
  databaseRestarts,
  browserKills,
  blobOutage,
  fullDisk,
  blobsReplaced,
];

const names = readArgument("only", SCENARIOS.map(({ name }) => name).join(",")).split(",");
const unknown = names.filter((name) => SCENARIOS.every((scenario) => scenario.name !== name));
if (unknown.length > 0) {
  const known = SCENARIOS.map(({ name }) => name).join(", ");
  process.stderr.write(`There is no fault ${unknown.join(", ")}. Known: ${known}.\n`);
  process.exit(USAGE_EXIT_CODE);
}

const rows: Row[] = [];
const skipped: string[] = [];
let failed = 0;
for (const scenario of SCENARIOS.filter(({ name }) => names.includes(name))) {
  const reason = scenario.whyNot?.();
  if (reason !== undefined) {
    skipped.push(`${scenario.name}: ${reason}`);
    continue;
  }
  process.stderr.write(`${scenario.name} …\n`);
  try {
    const row = await scenario.run();
    rows.push(row);
    if (!isHeld(row)) failed += 1;
    print({ ...row, held: isHeld(row) });
  } catch (error) {
    failed += 1;
    print({ fault: scenario.name, held: false, error: String(error) });
  }
}

const describeChecks = ({ checks }: Row): string =>
  Object.entries(checks)
    .map(([name, holds]) => (holds ? name : `**not: ${name}**`))
    .join(", ");
process.stdout.write(
  [
    "",
    "| fault | times | pages or scrapes | lost | twice | observed |",
    "|---|---|---|---|---|---|",
    ...rows.map(
      (row) =>
        `| ${row.fault} | ${row.times} | ${row.expected} | ${row.lost} | ${row.twice} | ${describeChecks(row)}${row.note === undefined ? "" : `; ${row.note}`} |`,
    ),
    ...skipped.map((line) => `Skipped ${line}`),
    "",
    `${rows.filter(isHeld).length} held, ${failed} broke, ${skipped.length} skipped`,
    "",
  ].join("\n"),
);
if (failed > 0) process.exitCode = 1;
