import { type Command, Option } from "commander";
import { addFamily } from "../../command.ts";
import { addSettings } from "../../command-settings.ts";
import { liveOrStopped, storeFlagsOf, storeSettings } from "../../store-command.ts";
import type { ExportFlags } from "./audit-events-export.ts";

const auditEventsExamples = `
Examples:
  outpost audit-events export --format csv > events.csv
  outpost audit-events export --help`;

const auditEventsExportExamples = `
Both times are inclusive. In CSV, a text that a spreadsheet could run as a
formula begins with a quote.
${liveOrStopped}

Examples:
  outpost audit-events export
  outpost audit-events export --from 2027-01-01 --to 2027-01-31T23:59:59Z
  outpost audit-events export --entity Project:12 --format csv --data /srv/outpost`;

export function addAuditEvents(program: Command): void {
  const command = addFamily(program, {
    name: "audit-events",
    usage: "export",
    description: "export audit events",
    examples: auditEventsExamples,
  });
  addSettings(command.command("export").description("print audit events, oldest first"), storeSettings)
    .addOption(
      new Option("--format <name>", "one JSON object per line, or CSV").choices(["jsonl", "csv"]).default("jsonl"),
    )
    .addOption(new Option("--json", "one JSON object per line, the default").conflicts("format"))
    .option("--from <time>", "start time, such as 2027-01-31 or 2027-01-31T09:30:00Z")
    .option("--to <time>", "end time")
    .option("--entity <type[:id]>", "subject: Project:12, Group:9, User:7, or only a type")
    .addHelpText("after", auditEventsExportExamples)
    .action(async (flags: ExportFlags, command: Command) => {
      const { exportAuditEvents } = await import("./audit-events-export.ts");
      await exportAuditEvents({ ...flags, ...storeFlagsOf({}, command) });
    });
}
