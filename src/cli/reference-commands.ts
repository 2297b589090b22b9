// Commands that describe the command line itself.
import { Argument, type Command } from "commander";
import { renderCompletion, SHELLS, type Shell } from "./terminal/completion.ts";
import { toInvocation } from "./terminal/hint.ts";
import { describeExitCodes, EXIT_CODE_MEANINGS } from "./terminal/exit-codes.ts";

type Options = { readonly json?: boolean };

const printJson = (value: unknown): void =>
  void process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);

const COMPLETION_HELP = `
Load it in the running shell, or in its start file:
  source <(quarry completion bash)          ~/.bashrc
  source <(quarry completion zsh)           ~/.zshrc
  quarry completion fish | source           ~/.config/fish/config.fish
It completes the word quarry, so quarry must be on your PATH: run npm link in the project's folder once.`;

export function addReferenceCommands(program: Command): void {
  program
    .command("completion")
    .description("print a completion script for a shell")
    .addArgument(new Argument("<shell>", "the shell").choices(SHELLS))
    .option("--json", "print it as JSON")
    .addHelpText("after", toInvocation(COMPLETION_HELP))
    .action((shell: Shell, { json }: Options) => {
      const script = renderCompletion(program, shell);
      if (json === true) printJson({ shell, script });
      else process.stdout.write(script);
    });
  program
    .command("exit-codes")
    .description("describe the exit codes of all commands")
    .option("--json", "print them as JSON")
    .addHelpText("after", `\nExit codes:\n${describeExitCodes()}`)
    .action(({ json }: Options) => {
      if (json === true)
        printJson(EXIT_CODE_MEANINGS.map(([code, meaning]) => ({ code, meaning })));
      else process.stdout.write(`${describeExitCodes()}\n`);
    });
}
