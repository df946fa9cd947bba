import type { Command } from "commander";
import { printJson } from "../../output/table.ts";
import { print } from "../../output/terminal.ts";

const examples = `
The image holds the executable and its libraries, without a shell. It runs as
an unprivileged user and keeps its store in /var/lib/outpost.
Its health check calls /-/health.

Examples:
  outpost containerfile > Containerfile
  podman build --format docker --tag outpost .
  podman run --publish 8080:8080 --volume outpost:/var/lib/outpost outpost`;

export function addContainerfile(program: Command): void {
  program
    .command("containerfile")
    .usage("[flags]")
    .optionsGroup("Flags:")
    .description("print a Containerfile for an image with this executable")
    .option("--json", "print it as a string in one JSON object")
    .addHelpText("after", examples)
    .action(async ({ json }: { json?: true }) => {
      const { default: text } = await import("../../build/Containerfile", { with: { type: "text" } });
      await (json === true ? printJson({ containerfile: text }) : print(text));
    });
}
