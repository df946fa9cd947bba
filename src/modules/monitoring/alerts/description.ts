/** The description of an incident that an alert opens. */

import type { DateTime } from "../../../lib/datetime.ts";
import type { Store } from "../../../store/index.ts";
import type { ProjectRecord } from "../../groups-and-projects/projects/records.ts";
import type { AlertRecord } from "./records.ts";
import { alertUrl } from "./urls.ts";

const months = [
  ...["January", "February", "March", "April", "May", "June"],
  ...["July", "August", "September", "October", "November", "December"],
];

/** The description of an alert's incident, in Markdown (alerts D). */
export function describeIncident(store: Store, project: ProjectRecord, alert: AlertRecord, baseUrl: string): string {
  const lines: [name: string, text: string | null][] = [
    ["Start time", inWords(alert.started_at)],
    ["Severity", alert.severity],
    ["full_query", alert.metric_query && `\`${alert.metric_query}\``],
    ["Service", alert.service],
    ["Monitoring tool", alert.monitoring_tool],
    ["Hosts", alert.hosts.join(" ")],
    ["Description", alert.description],
    ["Alert", alertUrl(store, project, alert, baseUrl)],
  ];
  const facts = lines.filter(([, text]) => text).map(([name, text]) => `**${name}:** ${text}`);
  const added = alert.incident_markdown === null ? [] : [alert.incident_markdown];
  return [facts.join("  \n"), ...added].join("\n\n---\n\n");
}

/** `03 February 2024, 4:05AM (UTC)` */
function inWords(time: DateTime): string {
  const date = new Date(time);
  const hour = date.getUTCHours();
  const minutes = String(date.getUTCMinutes()).padStart(2, "0");
  const day = String(date.getUTCDate()).padStart(2, "0");
  const clock = `${hour % 12 || 12}:${minutes}${hour < 12 ? "AM" : "PM"}`;
  return `${day} ${months[date.getUTCMonth()]} ${time.slice(0, 4)}, ${clock} (UTC)`;
}
