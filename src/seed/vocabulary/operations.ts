import type { AlertRecord } from "../../modules/monitoring/alerts/records.ts";

type AlertWords = Pick<AlertRecord, "title" | "severity" | "description" | "service" | "runbook" | "metric_query">;

export const alertTexts: readonly AlertWords[] = [
  alert("Queue of readings grows", "high", "More comes in than goes out.", "ingest", "rate(readings_queued[5m]) > 0"),
  alert("Disk is nearly full", "critical", "Less than 5 % is left.", "database", "disk_free_ratio < 0.05"),
  alert("Answers are slow", "medium", "The slowest in a hundred take over a second.", "forecast-api", "p99 > 1"),
  alert("Certificate ends in a week", "low", null, "gatekeeper", null),
  alert("Station of the ridge is silent", "medium", "No reading for two hours.", "ingest", null),
  alert("Many failed logins", "high", "From few addresses.", "accounts", "rate(login_failures[1m]) > 20"),
  alert("A worker restarts again and again", "high", null, "scheduler", "changes(worker_start[15m]) > 3"),
  alert("Backup is older than a day", "critical", "The last one was not verified.", "database", null),
  alert("Clock of a gateway is off", "info", "By more than a minute.", "gateway", null),
];

function alert(
  title: string,
  severity: AlertRecord["severity"],
  description: string | null,
  service: string,
  metric_query: string | null,
): AlertWords {
  return { title, severity, description, service, metric_query, runbook: null };
}

export const hosts = ["sky-1.skylark.example", "sky-2.skylark.example", "gw-north.skylark.example"] as const;

export interface ErrorWords {
  readonly type: string;
  readonly value: string;
  readonly platform: "python" | "javascript";
  readonly transaction: string;
  readonly file: string;
  readonly lines: readonly [before: string, at: string, after: string];
  readonly line: number;
}

export const errorTexts: readonly ErrorWords[] = [
  python("KeyError", "'wind_direction'", "POST /readings", "app/readings.py", 48, [
    "def store(reading):",
    "    heading = reading['wind_direction']",
    "    table.insert(heading)",
  ]),
  python("TimeoutError", "no answer from the database within 5 s", "GET /forecast", "app/db.py", 112, [
    "    while not done:",
    "        rows = connection.fetch(query, timeout=5)",
    "    return rows",
  ]),
  python("ValueError", "time data '24:00' does not match format '%H:%M'", "import nightly", "app/importer.py", 31, [
    "for row in rows:",
    "    when = datetime.strptime(row[0], '%H:%M')",
    "    yield when, row[1]",
  ]),
  python("PermissionError", "station 4711 belongs to another account", "GET /stations", "app/access.py", 77, [
    "if station.account != account:",
    "    raise PermissionError(text)",
    "return station",
  ]),
  javascript(
    "TypeError",
    "undefined is not an object (evaluating 'station.name')",
    "/stations/:id",
    "src/station.ts",
    22,
    ["const station = find(id);", "title.textContent = station.name;", "draw(station);"],
  ),
  javascript("RangeError", "Invalid time value", "/chart", "src/chart.ts", 64, [
    "const last = readings.at(-1);",
    "label(new Date(last.time).toISOString());",
    "return path;",
  ]),
  javascript("NetworkError", "the outbox could not be sent", "outbox", "src/outbox.ts", 15, [
    "while (outbox.length > 0) {",
    "  await send(outbox[0]);",
    "  outbox.shift();",
  ]),
];

type Lines = ErrorWords["lines"];

function python(
  type: string,
  value: string,
  transaction: string,
  file: string,
  line: number,
  lines: Lines,
): ErrorWords {
  return { type, value, platform: "python", transaction, file, line, lines };
}

function javascript(type: string, value: string, transaction: string, file: string, line: number, lines: Lines) {
  return { type, value, platform: "javascript", transaction, file, line, lines } as const;
}

/** The error messages of failed repository moves. */
export const moveFailures = ["no space left on device", "the copy is not what its source is: refs/heads/main"] as const;

export const triggerDescriptions = ["Nightly build", "Firmware of the partner", "Docs site"] as const;
