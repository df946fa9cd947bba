import { Argument, type Command } from "commander";
import { printJson } from "../../output/table.ts";
import { print } from "../../output/terminal.ts";

const examples = `
Completes commands, flags, topics, and values such as editions, log levels,
scopes, the users of a stopped store, files and folders.

Examples:
  source <(outpost completion bash)     in ~/.bashrc
  source <(outpost completion zsh)      in ~/.zshrc, after compinit
  outpost completion fish | source      in ~/.config/fish/config.fish`;

export function addCompletion(program: Command): void {
  const shell = new Argument("<shell>", "name of the shell").choices(["bash", "zsh", "fish"]);
  program
    .command("completion")
    .usage("<shell> [flags]")
    .optionsGroup("Flags:")
    .description("print a completion script for a shell")
    .addArgument(shell)
    .option("--json", "print it as a string in one JSON object")
    .addHelpText("after", examples)
    .action(async (given: "bash" | "zsh" | "fish", { json }: { json?: true }) => {
      const { completionScript } = await import("./completion.ts");
      const script = await completionScript(given);
      await (json === true ? printJson({ shell: given, script }) : print(script));
    });
}
