import type { Command } from "commander";
import { print } from "../../output/terminal.ts";

const examples = `
Grafana imports it as it is, and asks which Prometheus has the figures of
/-/metrics. That is open to this machine; from elsewhere, scrape it with an
administrator's token.

Examples:
  outpost dashboard > outpost.json
  outpost dashboard | jq -r '.panels[].title'`;

export function addDashboard(program: Command): void {
  program
    .command("dashboard")
    .usage("[flags]")
    .optionsGroup("Flags:")
    .description("print a Grafana dashboard of what /-/metrics tells")
    .option("--json", "as it is without this, too")
    .addHelpText("after", examples)
    .action(async () => {
      const { default: dashboard } = await import("../../build/dashboard.json", { with: { type: "json" } });
      await print(`${JSON.stringify(dashboard, null, 2)}\n`);
    });
}
