// `quarry hostile`: runs the public suite of hostile sites against any server of this API family.
import { writeFile } from "node:fs/promises";
import { styleText } from "node:util";
import { RequestError } from "../../errors.ts";
import { CASES } from "../../hostile/cases/index.ts";
import type { Outcome } from "../../hostile/hostile-case.ts";
import {
  HostileCallError,
  runHostile,
  type CaseResult,
  type HostileReport,
} from "../../hostile/run-hostile.ts";
import { EXIT } from "../terminal/exit-codes.ts";
import { reportFailure } from "../terminal/report-failure.ts";
import { toPlainLine } from "../terminal/terminal-text.ts";

export type HostileCommandOptions = {
  readonly target?: string;
  readonly key?: string;
  readonly only?: readonly string[];
  readonly address: string;
  readonly pid?: number;
  readonly report?: string;
  readonly small?: boolean;
  readonly list?: boolean;
  readonly json?: boolean;
};

const COLORS = { held: "green", broke: "red", skipped: "yellow" } as const;
const printLine = (line: string): void => void process.stdout.write(`${line}\n`);

/** Exit code 0 when all cases passed or were skipped, 1 when one failed, 2 for a wrong call. */
export async function runHostileCommand(options: HostileCommandOptions): Promise<void> {
  const asJson = options.json === true;
  if (options.list === true && asJson) {
    const cases = CASES.map(({ name, severity, attack }) => ({ name, severity, attack }));
    printLine(JSON.stringify(cases, null, 2));
    return;
  }
  if (options.list === true) {
    for (const { name, severity, attack } of CASES)
      printLine(`${name.padEnd(24)}${severity.padEnd(10)}${attack}`);
    return;
  }
  try {
    if (options.target === undefined)
      throw new HostileCallError("Name the server with --target URL.");
    if (URL.parse(options.target) === null)
      throw new HostileCallError(`--target: ${options.target} is not a URL.`);
    const report = await runHostile({
      target: options.target,
      key: options.key,
      only: options.only,
      address: options.address,
      isSmall: options.small === true,
      pid: options.pid,
      onResult: asJson ? () => undefined : print,
    });
    if (options.report !== undefined) await writeReport(options.report, report);
    const { held, broke, skipped } = report.counts;
    printLine(
      asJson
        ? JSON.stringify(report, null, 2)
        : `\n${held} held, ${broke} broke, ${skipped} skipped`,
    );
    process.exitCode = broke > 0 ? 1 : 0;
  } catch (error) {
    if (!(error instanceof HostileCallError)) throw error;
    const message = `hostile: ${toPlainLine(error.message)}`;
    if (asJson) reportFailure({ code: "WRONG_CALL", message, exitCode: EXIT.wrongCall }, asJson);
    else {
      process.stderr.write(`quarry ${message}\n`);
      process.exitCode = EXIT.wrongCall;
    }
  }
}

function print({ name, outcome, severity, evidence, ms }: CaseResult): void {
  const word = styleText(COLORS[outcome satisfies Outcome], outcome.padEnd(8), {
    stream: process.stdout,
  });
  printLine(
    `${word} ${name.padEnd(24)}${severity.padEnd(10)}${(ms / 1_000).toFixed(1).padStart(6)} s  ${toPlainLine(evidence)}`,
  );
}

async function writeReport(file: string, report: HostileReport): Promise<void> {
  try {
    await writeFile(file, `${JSON.stringify(report, null, 2)}\n`);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new RequestError("BAD_REQUEST", `--report: ${file} cannot be written (${code}).`, {
      cause: error,
    });
  }
}
