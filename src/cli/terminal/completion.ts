// Shell completion, generated from the command tree: no command or option is named here.
import type { Command, Option } from "commander";

export const SHELLS = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof SHELLS)[number];

type Node = {
  /** Names of the command and its parents, without the program's name. */
  readonly path: readonly string[];
  readonly description: string;
  readonly commands: readonly { readonly name: string; readonly description: string }[];
  readonly options: readonly {
    readonly flags: readonly string[];
    readonly description: string;
    readonly choices: readonly string[];
    readonly takesValue: boolean;
  }[];
};

const isShown = (option: Option): boolean => !option.hidden;

/** Lists every command with what may follow it, the program itself first. */
export function listCommands(command: Command, path: readonly string[] = []): Node[] {
  const shown = command.createHelp().visibleCommands(command);
  const options = command
    .createHelp()
    .visibleOptions(command)
    .filter(isShown)
    .map((option) => ({
      flags: [option.short, option.long].filter((flag) => flag !== undefined && flag !== null),
      description: option.description,
      choices: option.argChoices ?? [],
      takesValue: option.required || option.optional,
    }));
  const node: Node = {
    path,
    description: command.description(),
    commands: shown.map((below) => ({ name: below.name(), description: below.description() })),
    options,
  };
  return [
    node,
    ...command.commands.flatMap((below) => listCommands(below, [...path, below.name()])),
  ];
}

export function renderCompletion(program: Command, shell: Shell): string {
  const nodes = listCommands(program);
  if (shell === "bash") return renderBash(nodes);
  return shell === "zsh" ? renderZsh(nodes) : renderFish(nodes);
}

const toKey = (path: readonly string[]): string => path.join(" ");

const quote = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

function renderBash(nodes: readonly Node[]): string {
  const words = nodes.map(
    ({ path, commands, options }) =>
      `    ${quote(toKey(path))}) words=${quote([...commands.map(({ name }) => name), ...options.flatMap(({ flags }) => flags)].join(" "))} ;;`,
  );
  const choices = nodes.flatMap(({ path, options }) =>
    options
      .filter((option) => option.choices.length > 0)
      .map(
        ({ flags, choices: values }) =>
          `    ${flags.map((flag) => quote(`${toKey(path)}|${flag}`)).join("|")}) words=${quote(values.join(" "))} ;;`,
      ),
  );
  const paths = nodes
    .filter(({ path }) => path.length > 0)
    .map(({ path }) => quote(toKey(path)))
    .join("|");
  return `# Completion for bash. Load it with: source <(quarry completion bash)
_quarry() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD - 1]}"
  local path="" words="" word next i
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="\${COMP_WORDS[i]}"
    next="\${path:+$path }$word"
    case "$next" in
    ${paths}) path="$next" ;;
    esac
  done
  case "$path|$previous" in
${choices.join("\n")}
  esac
  if [[ -z $words ]]; then
    case "$path" in
${words.join("\n")}
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _quarry quarry
`;
}

function renderZsh(nodes: readonly Node[]): string {
  const formatItem = (name: string, description: string): string =>
    quote(`${name.replaceAll(":", String.raw`\:`)}:${description}`);
  const cases = nodes.map(({ path, commands, options }) => {
    const items = [
      ...commands.map(({ name, description }) => formatItem(name, description)),
      ...options.flatMap(({ flags, description }) =>
        flags.map((flag) => formatItem(flag, description)),
      ),
    ];
    return `    ${quote(toKey(path))}) items=(${items.join(" ")}) ;;`;
  });
  const paths = nodes
    .filter(({ path }) => path.length > 0)
    .map(({ path }) => quote(toKey(path)))
    .join("|");
  return `#compdef quarry
# Completion for zsh. Load it with: source <(quarry completion zsh)
_quarry() {
  local path_="" word next
  local -a items
  for word in "\${(@)words[2,CURRENT-1]}"; do
    next="\${path_:+$path_ }$word"
    case "$next" in
    ${paths}) path_="$next" ;;
    esac
  done
  case "$path_" in
${cases.join("\n")}
  esac
  _describe 'quarry' items
  _files
}
compdef _quarry quarry
`;
}

function renderFish(nodes: readonly Node[]): string {
  const escapeForFish = (text: string): string =>
    `'${text.replaceAll("\\", "\\\\").replaceAll("'", String.raw`\'`)}'`;
  const lines = nodes.flatMap(({ path, commands, options }) => {
    const condition = `-n ${escapeForFish(`__quarry_at ${escapeForFish(toKey(path))}`)}`;
    return [
      ...commands.map(
        ({ name, description }) =>
          `complete -c quarry ${condition} -f -a ${escapeForFish(name)} -d ${escapeForFish(description)}`,
      ),
      ...options.map(({ flags, description, choices, takesValue }) =>
        [
          `complete -c quarry ${condition}`,
          ...flags.map((flag) =>
            flag.startsWith("--") ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`,
          ),
          ...(takesValue ? ["-r"] : []),
          ...(choices.length > 0 ? [`-a ${escapeForFish(choices.join(" "))}`] : []),
          `-d ${escapeForFish(description)}`,
        ].join(" "),
      ),
    ];
  });
  const paths = nodes
    .filter(({ path }) => path.length > 0)
    .map(({ path }) => escapeForFish(toKey(path)))
    .join(" ");
  return `# Completion for fish. Load it with: quarry completion fish | source
function __quarry_at
    set -l path ''
    for word in (commandline -opc)[2..]
        set -l next (string trim -- "$path $word")
        contains -- $next ${paths}; and set path $next
    end
    test "$path" = "$argv[1]"
end
${lines.join("\n")}
`;
}
