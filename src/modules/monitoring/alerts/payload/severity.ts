/** The severities of alerts, and the names for them. */

export const alertSeverities = ["critical", "high", "medium", "low", "info", "unknown"] as const;
export type AlertSeverity = (typeof alertSeverities)[number];

const synonyms: Readonly<Record<AlertSeverity, string>> = {
  critical: "critical s1 p1 emergency fatal",
  high: "high s2 p2 major page",
  medium: "medium s3 p3 error alert",
  low: "low s4 p4 warn warning",
  info: "info s5 p5 debug information notice",
  unknown: "unknown",
};

const bySynonym = new Map(
  alertSeverities.flatMap((severity) => synonyms[severity].split(" ").map((word) => [word, severity] as const)),
);
const byName = new Map<string, AlertSeverity>(alertSeverities.map((severity) => [severity, severity]));

/** Reads the severity of a generic payload: the six names in any case, else critical (alerts A.4). */
export function severityNamed(text: string | undefined): AlertSeverity {
  return byName.get((text ?? "").trim().toLowerCase()) ?? "critical";
}

/** Reads the severity of a metrics item, whose label may also be a synonym (alerts A.5). */
export function severityMeant(text: string | undefined): AlertSeverity {
  return bySynonym.get((text ?? "").trim().toLowerCase()) ?? "critical";
}
