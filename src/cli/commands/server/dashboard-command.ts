import type { Command } from "commander";
import { print } from "../../output/terminal.ts";

const examples = `
Grafana imports it unchanged and asks for the Prometheus that scrapes
/-/metrics. This machine needs no token for that; others need an administrator's
token.

Examples:
  outpost dashboard > outpost.json
  outpost dashboard | jq -r '.panels[].title'`;

export function addDashboard(program: Command): void {
  program
    .command("dashboard")
    .usage("[flags]")
    .optionsGroup("Flags:")
    .description("print a Grafana dashboard for /-/metrics")
    .option("--json", "same as without it")
    .addHelpText("after", examples)
    .action(async () => {
      const { default: dashboard } = await import("../../build/dashboard.json", { with: { type: "json" } });
      await print(`${JSON.stringify(dashboard, null, 2)}\n`);
    });
}
