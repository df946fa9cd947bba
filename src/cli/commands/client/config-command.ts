import type { Command } from "commander";
import { explainConfig } from "../../../config/effective-settings.ts";
import { allSettings } from "../../../config/settings.ts";
import { addSettings, sourcesOf } from "../../command-settings.ts";

const configExamples = `
Examples:
  outpost config
  outpost config --port 9000
  outpost config --json | jq -r .data.value`;

export function addConfig(program: Command): void {
  addSettings(program.command("config").description("print each setting and where its value comes from"), {
    taken: allSettings,
  })
    .option("--json", "print one JSON object")
    .addHelpText("after", configExamples)
    .action(async (flags: { json?: boolean }, command: Command) => {
      const { config } = await import("./config.ts");
      await config({ settings: explainConfig(sourcesOf(command)), json: flags.json === true });
    });
}
