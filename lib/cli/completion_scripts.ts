/** What a flag or an argument takes: one of some names, a file, a recorded run, or any text. */
export type CompletedValue = { readonly choices: readonly string[] } | "file" | "run" | "text";

/** What a shell must know of a command. */
export interface CompletedCommand {
  readonly name: string;
  /** What it does, in a line. */
  readonly about: string;
  readonly flags: readonly CompletedFlag[];
  /** What its arguments are. */
  readonly takes: readonly CompletedValue[];
  /** The commands below it. */
  readonly commands: readonly CompletedCommand[];
}

/** What a shell must know of a flag. */
export interface CompletedFlag {
  /** With its dashes. */
  readonly flag: string;
  readonly about: string;
  /** `undefined` where it stands alone. */
  readonly takes: CompletedValue | undefined;
}

/** Where names of runs come from. */
export interface RunPlaces {
  /** The folder of recorded runs, which the shell lists. */
  readonly folder: string;
  /** The measured runs that come with Fathom. */
  readonly measured: readonly string[];
}

/** A command with the words that call it, such as `data fetch`. */
interface CalledCommand extends CompletedCommand {
  readonly words: string;
}

function calledCommands(commands: readonly CompletedCommand[], before = ""): readonly CalledCommand[] {
  return commands.flatMap((command) => {
    const words = `${before}${command.name}`;
    return [{ ...command, words }, ...calledCommands(command.commands, `${words} `)];
  });
}

/** The commands that have commands below them. */
function groupsOf(commands: readonly CompletedCommand[]): readonly CompletedCommand[] {
  return commands.filter((command) => command.commands.length > 0);
}

/** A text as one word of a shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** The first sentence of what a flag does, in one line. */
function brief(about: string): string {
  return about.replaceAll(/\s+/g, " ").split(/(?<=\w)[;:.] |, such as| \(/)[0]!.slice(0, 90);
}

/** The script by which bash completes. */
export function bashScript(commands: readonly CompletedCommand[], { folder, measured }: RunPlaces): string {
  const all = calledCommands(commands);
  const values = all.flatMap(({ words, flags }) =>
    flags.flatMap(({ flag, takes }) =>
      takes === undefined ? [] : `    ${quoted(`${words} ${flag}`)}) ${bashValue(takes)}; return ;;`
    )
  );
  const places = all.map(({ words, flags, takes, commands: below }) => {
    const names = [...below.map(({ name }) => name), ...flags.map(({ flag }) => flag)].join(" ");
    const after = takes.flatMap((value) => value === "text" ? [] : [bashValue(value)])[0];
    const otherwise = after === undefined ? "" : `[[ $word != -* ]] && { ${after}; return; }; `;
    return `    ${quoted(words)}) ${otherwise}_fathom_words ${quoted(names)} ;;`;
  });
  return `# Completes fathom in bash: source <(fathom completion bash)
_fathom_words() { COMPREPLY=($(compgen -W "$1" -- "$word")); }
_fathom_files() { compopt -o filenames; COMPREPLY=($(compgen -f -- "$word")); }
_fathom_runs() { _fathom_words "$(command ls ${quoted(folder)} 2>/dev/null | tr '\\n' ' ') ${measured.join(" ")}"; }
_fathom() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} called="" at
  for ((at = 1; at < COMP_CWORD; at++)); do
    [[ \${COMP_WORDS[at]} == -* ]] && continue
    case "$called" in
      "") called=\${COMP_WORDS[at]} ;;
      ${groupsOf(commands).map(({ name }) => name).join("|")}) called="$called \${COMP_WORDS[at]}" ;;
      *) break ;;
    esac
  done
  COMPREPLY=()
  case "$called $before" in
${values.join("\n")}
  esac
  case "$called" in
    "") _fathom_words ${quoted(commands.map(({ name }) => name).join(" "))} ;;
${places.join("\n")}
  esac
}
complete -F _fathom fathom
`;
}

function bashValue(value: CompletedValue): string {
  if (value === "file") return "_fathom_files";
  if (value === "run") return "_fathom_runs";
  return value === "text" ? ":" : `_fathom_words ${quoted(value.choices.join(" "))}`;
}

/** The script by which zsh completes, each name with what it does. */
export function zshScript(commands: readonly CompletedCommand[], { folder, measured }: RunPlaces): string {
  const places = commands.map((command) => {
    const { name, commands: below, takes } = command;
    const flags = [...command.flags, ...below.flatMap(({ flags }) => flags)];
    const named = new Map(flags.map((flag) => [flag.flag, flag]));
    const specs = [
      ...[...named.values()].map(({ flag, about, takes }) =>
        quoted(`${flag}[${zshText(brief(about))}]${takes === undefined ? "" : zshValue(takes)}`)
      ),
      ...(below.length > 0 ? [quoted(`1:command:(${below.map(({ name }) => name).join(" ")})`)] : []),
      ...takes.slice(0, 1).map((value) => quoted(`*${zshValue(value)}`)),
    ];
    return `    ${name}) _arguments ${specs.join(" ")} ;;`;
  });
  return `#compdef fathom
# Completes fathom in zsh: source <(fathom completion zsh), after compinit
_fathom_runs() {
  local -a runs
  runs=(${quoted(folder)}/*(N/:t) ${measured.join(" ")})
  compadd -a runs
}
_fathom() {
  local state
  local -a commands
  commands=(${commands.map(({ name, about }) => quoted(`${name}:${zshText(brief(about))}`)).join(" ")})
  _arguments -C '1:command:->command' '*::argument:->argument'
  case $state in
  command) _describe command commands ;;
  argument) case $words[1] in
${places.join("\n")}
  esac ;;
  esac
}
compdef _fathom fathom
`;
}

function zshText(text: string): string {
  return text.replaceAll(/[[\]:]/g, (character) => `\\${character}`);
}

function zshValue(value: CompletedValue): string {
  if (value === "file") return ":file:_files";
  if (value === "run") return ":run:_fathom_runs";
  return value === "text" ? ":value: " : `:name:(${value.choices.join(" ")})`;
}

/** The script by which fish completes, each name with what it does. */
export function fishScript(commands: readonly CompletedCommand[], { folder, measured }: RunPlaces): string {
  const lines = commands.flatMap((command) => {
    const { name, about, commands: below, takes } = command;
    const inside = `complete -c fathom -n '__fish_seen_subcommand_from ${name}'`;
    const flags = [...command.flags, ...below.flatMap(({ flags }) => flags)];
    const named = new Map(flags.map((flag) => [flag.flag, flag]));
    return [
      `complete -c fathom -n __fish_use_subcommand -a ${name} -d ${quoted(brief(about))}`,
      ...[...named.values()].map(({ flag, about, takes }) =>
        `${inside} -l ${flag.replace(/^--/, "")}${takes === undefined ? "" : ` ${fishValue(takes)}`} -d ${
          quoted(brief(about))
        }`
      ),
      ...below.map(({ name, about }) => `${inside} -a ${name} -d ${quoted(brief(about))}`),
      ...takes.slice(0, 1).filter((value) => value !== "text").map((value) =>
        value === "file" ? `${inside} -F` : `${inside} ${fishValue(value).replace(/^-x/, "-")}`
      ),
    ];
  });
  return `# Completes fathom in fish: fathom completion fish > ~/.config/fish/completions/fathom.fish
function __fathom_runs
  command ls ${quoted(folder)} 2>/dev/null
  printf '%s\\n' ${measured.join(" ")}
end
complete -c fathom -f
${lines.join("\n")}
`;
}

function fishValue(value: CompletedValue): string {
  if (value === "file") return "-rF";
  if (value === "run") return "-xa '(__fathom_runs)'";
  return value === "text" ? "-x" : `-xa ${quoted(value.choices.join(" "))}`;
}
