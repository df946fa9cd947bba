import type { Command } from "commander";
import { resolveConfig } from "../../../config/config.ts";
import { addSettings, sourcesOf } from "../../command-settings.ts";
import { withMemoryStore } from "../../memory-store.ts";

/**
 * A separate folder, so that the demo never mixes with real data; a built-in runner, so that pipelines run; and a second
 * storage, so that the user can move repositories.
 */
const demoDefaults = { data: "./data/demo", "demo-runner": "true", "repository-storages": "default,archive" };

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
