import type { Command } from "commander";
import { printJson } from "../../output/table.ts";
import { print } from "../../output/terminal.ts";

const examples = `
The image runs as nobody in particular, keeps its store in /var/lib/outpost, and
asks itself whether it is well.

Examples:
  outpost containerfile > Containerfile
  podman build --format docker --tag outpost .
  podman run --publish 8080:8080 --volume outpost:/var/lib/outpost outpost`;

export function addContainerfile(program: Command): void {
  program
    .command("containerfile")
    .usage("[flags]")
    .optionsGroup("Flags:")
    .description("print what an image with this executable is built from")
    .option("--json", "print it as the text of one JSON object")
    .addHelpText("after", examples)
    .action(async ({ json }: { json?: true }) => {
      const { default: text } = await import("../../build/Containerfile", { with: { type: "text" } });
      await (json === true ? printJson({ containerfile: text }) : print(text));
    });
}
