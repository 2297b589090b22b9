// The whole check of the project, in steps, each named as it runs. The last line is `N passed, N
// failed`.
//   node scripts/test.ts            everything: format, types, lint, dead code, generated files, all tests
//   node scripts/test.ts --quick    unit, architecture and golden tests without test/slow-files.ts; under a minute
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import process from "node:process";
import { SLOW_FILES } from "../test/slow-files.ts";

const root = path.resolve(import.meta.dirname, "..");
const quick = process.argv.includes("--quick");
const bin = (name: string): string => path.join(root, "node_modules", ".bin", name);

type Step = {
  name: string;
  command: string;
  args: string[];
  env?: Readonly<Record<string, string>>;
};

const SHARED_MEMORY = "/dev/shm";
/** Bytes; the tests need a tenth of it at a time. */
const TMPFS_BYTES = 4 * 1024 ** 3;

/**
 * Creates a folder for files of the tests: hundreds of databases and browser profiles of a thousand
 * small files each. It is in memory if there is space and execution is allowed, which saves a fifth
 * of the CPU.
 */
function makeScratch(): string {
  const disk = (): string => mkdtempSync(path.join(os.tmpdir(), "quarry-test-"));
  if (!existsSync(SHARED_MEMORY) || process.env["TMPDIR"] !== undefined) return disk();
  const { bavail, bsize } = statfsSync(SHARED_MEMORY);
  if (Math.min(bavail * bsize, process.availableMemory()) < TMPFS_BYTES) return disk();
  const memory = mkdtempSync(path.join(SHARED_MEMORY, "quarry-test-"));
  const program = path.join(memory, "program");
  writeFileSync(program, "#!/bin/sh\nexit 0\n", { mode: 0o755 });
  if (spawnSync(program).status === 0) return memory;
  rmSync(memory, { recursive: true });
  return disk();
}

const scratch = makeScratch();
// PostgreSQL does not run as root.
chmodSync(scratch, 0o711);
const running = new Set<ChildProcess>();
process.once("exit", () => {
  for (const child of running) child.kill();
  rmSync(scratch, { recursive: true, force: true });
});
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, () => process.exit(128 + os.constants.signals[signal]));
const compiled = path.join(root, "node_modules/.cache/quarry");
/** Every run adds an entry for each test file, because the test runner adds the time to its address. */
const MAX_COMPILED = 60_000;
if (existsSync(compiled) && readdirSync(compiled, { recursive: true }).length > MAX_COMPILED)
  rmSync(compiled, { recursive: true, force: true });
const environment = {
  ...process.env,
  TMPDIR: scratch,
  // The tests start hundreds of threads and processes with the same program; the compile cache
  // speeds them up.
  NODE_COMPILE_CACHE: compiled,
};

/** Returns options for incremental checking: files unchanged since the last run are skipped. */
function checkTypes(project: string, name: string): string[] {
  const known = path.join(root, "node_modules/.cache", `types-${name}.tsbuildinfo`);
  const kept = ["--incremental", "--tsBuildInfoFile", known];
  // Each checker computes the types that it shares with the others again; the default is four.
  return ["--noEmit", "-p", project, ...kept, "--checkers", "1"];
}

/** The checkers are short-lived Go programs: collecting their garbage less often saves a third of their CPU. */
const FEWER_COLLECTIONS = { GOGC: "400" };

const checks: Step[] = [
  { name: "format", command: bin("oxfmt"), args: ["--check", "."] },
  {
    name: "lint",
    command: bin("oxlint"),
    args: ["--type-aware"],
    // Threads of the type-aware rules compute shared types again.
    env: { ...FEWER_COLLECTIONS, GOMAXPROCS: "1" },
  },
  { name: "types", command: bin("tsc"), args: checkTypes(".", "all"), env: FEWER_COLLECTIONS },
  {
    name: "types of the console",
    command: bin("tsc"),
    args: checkTypes("src/console/app", "console"),
    env: FEWER_COLLECTIONS,
  },
  { name: "dead code", command: bin("knip"), args: ["--no-progress"] },
  {
    name: "generated files",
    command: process.execPath,
    args: ["scripts/generate-reference.ts", "--check"],
  },
];

let passed = 0;
let failed = 0;

async function run(step: Step, show: boolean): Promise<{ code: number; output: string }> {
  const child = spawn(step.command, step.args, {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...environment, ...step.env },
  });
  running.add(child);
  let output = "";
  const collect = (chunk: Buffer): void => {
    output += chunk.toString();
    if (show) process.stdout.write(chunk);
  };
  child.stdout.on("data", collect);
  child.stderr.on("data", collect);
  const { promise, resolve } = Promise.withResolvers<number>();
  child.on("error", (error) => {
    output += error.message;
    resolve(1);
  });
  child.on("close", (code) => resolve(code ?? 1));
  const code = await promise;
  running.delete(child);
  return { code, output };
}

/** Runs the checks beside the tests, which leave them the time that they wait; a failure is printed at once. */
async function runChecks(): Promise<string[]> {
  const failing: string[] = [];
  for (const step of checks) {
    const started = performance.now();
    const { code, output } = await run(step, false);
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    if (code === 0) passed += 1;
    else failing.push(step.name);
    const lines = code === 0 ? "" : `${output}\n`;
    process.stdout.write(`${code === 0 ? "ok  " : "FAIL"} ${step.name} (${seconds} s)\n${lines}`);
  }
  return failing;
}

type Report = {
  numPassedTests: number;
  numFailedTests: number;
  testResults: {
    name: string;
    status: string;
    assertionResults: { status: string; fullName: string }[];
  }[];
};

const failing = ({ testResults }: Report) =>
  testResults.filter(({ status }) => status === "failed");
const failedTests = (file: Report["testResults"][number]): string[] =>
  file.assertionResults.filter(({ status }) => status === "failed").map((test) => test.fullName);

/** Runs the named projects or files; returns vitest's report, or undefined if it wrote none. */
async function runTests(
  name: string,
  selection: string[],
): Promise<{ code: number; report?: Report }> {
  const file = path.join(scratch, `${name}.json`);
  const { code } = await run(
    {
      name,
      command: process.execPath,
      args: [
        path.join(root, "node_modules/vitest/vitest.mjs"),
        "run",
        ...selection,
        "--reporter=default",
        "--reporter=json",
        `--outputFile.json=${file}`,
      ],
    },
    true,
  );
  if (!existsSync(file)) return { code };
  return { code, report: JSON.parse(readFileSync(file, "utf8")) as Report };
}

/**
 * On a machine three times slower than usual, one file in seventy exceeds a limit of time. If more
 * fail, the cause is not timing.
 */
const MAX_RERUN_FILES = 16;

const projects = quick
  ? [
      ...["unit", "architecture", "golden"].flatMap((name) => ["--project", name]),
      ...SLOW_FILES.map((file) => `--exclude=${file}`),
    ]
  : [];
const checking = runChecks();
const { code, report } = await runTests("tests", projects);
const failedChecks = await checking;
failed += failedChecks.length;
if (report === undefined) {
  process.stdout.write("vitest wrote no report\n");
  failed += 1;
} else {
  let failures = Math.max(report.numFailedTests, code === 0 ? 0 : 1);
  passed += report.numPassedTests;
  const files = failing(report);
  // A test that fails in parallel and passes alone depends on timing. It is named, so that it gets
  // fixed, but it does not fail the suite on a busy machine.
  if (files.length > 0 && files.length <= MAX_RERUN_FILES) {
    process.stdout.write("\nRunning the files with failures again, alone\n");
    const again = await runTests("again", [
      "--no-file-parallelism",
      ...files.map(({ name }) => path.relative(root, name)),
    ]);
    if (again.code === 0 && again.report?.numFailedTests === 0) {
      process.stdout.write("\nFlaky: failed beside other tests, passed alone\n");
      for (const file of files)
        for (const title of failedTests(file))
          process.stdout.write(`  ${path.relative(root, file.name)} > ${title}\n`);
      passed += report.numFailedTests;
      failures = 0;
    }
  }
  failed += failures;
}

if (failedChecks.length > 0)
  process.stdout.write(`\nFailed checks, see above: ${failedChecks.join(", ")}\n`);
process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;
