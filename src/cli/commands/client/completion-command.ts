import { Argument, type Command } from "commander";
import { printJson } from "../../output/table.ts";
import { print } from "../../output/terminal.ts";

const examples = `
Completes verbs, flags, and values such as editions, log levels, scopes, the
users of a stopped store, files and folders.

Examples:
  source <(outpost completion bash)     in ~/.bashrc
  source <(outpost completion zsh)      in ~/.zshrc, after compinit
  outpost completion fish | source      in ~/.config/fish/config.fish`;

export function addCompletion(program: Command): void {
  const shell = new Argument("<shell>", "which one").choices(["bash", "zsh", "fish"]);
  program
    .command("completion")
    .usage("<shell> [flags]")
    .optionsGroup("Flags:")
    .description("print a script with which a shell completes this")
    .addArgument(shell)
    .option("--json", "print it as the text of one JSON object")
    .addHelpText("after", examples)
    .action(async (given: "bash" | "zsh" | "fish", { json }: { json?: true }) => {
      const { completionScript } = await import("./completion.ts");
      const script = await completionScript(given);
      await (json === true ? printJson({ shell: given, script }) : print(script));
    });
}
