import type { Command } from "commander";
import { resolveConfig } from "../../../config/config.ts";
import { addSettings, sourcesOf } from "../../command-settings.ts";
import { withMemoryStore } from "../../memory-store.ts";

/**
 * A folder of its own, so that it never mixes with real data; a built-in runner, since a person who tries a pipeline has
 * none; and a second storage, so that something can be moved.
 */
const demoDefaults = { data: "./data/demo", "demo-runner": "true", "repository-storages": "default,archive" };

/** The end of `outpost help demo`. */
const demoExamples = `
Examples:
  outpost demo
  outpost demo --port 0 --data /tmp/outpost-demo`;

export function addDemo(program: Command): void {
  addSettings(program.command("demo").description("serve a sample company in a folder of its own"), {
    defaults: demoDefaults,
  })
    .addHelpText("after", demoExamples)
    .action(async (_options: object, command: Command) => {
      const { demo } = await import("./demo.ts");
      await withMemoryStore(resolveConfig(sourcesOf(command, demoDefaults)), demo);
    });
}
