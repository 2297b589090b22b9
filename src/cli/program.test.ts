import type { Command } from "commander";
import { expect, it } from "vitest";
import { buildProgram } from "./program.ts";

const MAX_WIDTH = 140;

/** Help of the command and of all below it, as `--help` prints it. */
function* listHelp(command: Command): Generator<readonly [name: string, help: string]> {
  let help = "";
  command.configureOutput({ writeOut: (text) => void (help += text), getOutHelpWidth: () => 100 });
  command.outputHelp();
  yield [command.name(), help];
  for (const below of command.commands) yield* listHelp(below);
}

it("prints no line of help that is wider than a wide terminal", () => {
  for (const [name, help] of listHelp(buildProgram(() => undefined)))
    for (const line of help.split("\n"))
      expect(line.length, `${name}: ${line}`).toBeLessThanOrEqual(MAX_WIDTH);
});
