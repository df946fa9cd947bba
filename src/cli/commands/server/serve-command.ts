import type { Command } from "commander";
import { resolveConfig } from "../../../config/config.ts";
import { addSettings, sourcesOf } from "../../command-settings.ts";
import { withMemoryStore } from "../../memory-store.ts";

const serveExamples = `
Examples:
  outpost serve
  outpost serve --port 0 --data /srv/outpost
  OUTPOST_ROOT_TOKEN=$(openssl rand -hex 20) outpost serve --log-format json`;

export function addServe(program: Command): void {
  addSettings(program.command("serve").description("answer requests until Ctrl-C or SIGTERM"))
    .option("--restore <file>", "first restore this archive; the data folder must be empty")
    .addHelpText("after", serveExamples)
    .action(async ({ restore }: { restore?: string }, command: Command) => {
      await withMemoryStore(resolveConfig(sourcesOf(command)), async (config) => {
        if (restore !== undefined) {
          const { restored } = await import("../data/restore.ts");
          await restored(restore, config);
        }
        const { serve } = await import("./serve.ts");
        await serve(config);
      });
    });
}
