import { execFile, execFileSync, spawnSync } from "node:child_process";
import { promisify } from "node:util";
import { Command, Option } from "commander";
import { describe, expect, it } from "vitest";
import { renderCompletion, SHELLS, type Shell } from "./completion.ts";

const program = new Command("quarry").option("--data-dir <folder>", "the server's data folder");
const keys = program.command("keys").description("keys");
keys.command("create <name>").option("--credits <n>", "it's a budget").option("--json", "JSON");
keys.command("list");
program
  .command("scrape <url>")
  .addOption(new Option("--on-blocked <what>", "say what").choices(["empty", "return"]))
  .addOption(new Option("--hidden").hideHelp());

function hasShell(shell: Shell): boolean {
  try {
    execFileSync(shell, ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** Returns bash's suggestions for the last of these words. */
async function complete(...words: string[]): Promise<string[]> {
  const script = `${renderCompletion(program, "bash")}
COMP_WORDS=(quarry ${words.map((word) => `'${word}'`).join(" ")})
COMP_CWORD=${words.length}
_quarry
printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout } = await promisify(execFile)("bash", ["--norc", "-c", script]);
  return stdout.split("\n").filter((line) => line !== "");
}

describe.skipIf(!hasShell("bash"))("bash completion", () => {
  it("completes commands, subcommands and their options in bash", async () => {
    expect(await complete("")).toEqual(
      expect.arrayContaining(["keys", "scrape", "help", "--data-dir"]),
    );
    expect(await complete("k")).toEqual(["keys"]);
    expect(await complete("keys", "")).toEqual(expect.arrayContaining(["create", "list"]));
    expect(await complete("keys", "create", "--c")).toEqual(["--credits"]);
    expect(await complete("keys", "create", "team", "--j")).toEqual(["--json"]);
  });

  it("completes the values of an option with fixed choices", async () => {
    expect(await complete("scrape", "--on-blocked", "")).toEqual(["empty", "return"]);
    expect(await complete("scrape", "--on-blocked", "r")).toEqual(["return"]);
  });

  it("does not complete hidden options", async () => {
    expect(await complete("scrape", "--h")).toEqual(["--help"]);
  });
});

describe.each(SHELLS)("completion script for %s", (shell) => {
  it.skipIf(!hasShell(shell))("writes a script that the shell accepts", () => {
    const checked = spawnSync(shell, ["-n"], { input: renderCompletion(program, shell) });
    expect([checked.status, checked.stderr.toString()]).toEqual([0, ""]);
  });

  it("contains every command and option in the completion script, quoted", () => {
    const script = renderCompletion(program, shell);
    for (const word of ["keys", "create", "credits", "on-blocked"]) expect(script).toContain(word);
    expect(script).not.toContain("hidden");
  });
});
