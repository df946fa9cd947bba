import { styleText } from "node:util";

/** A line of the log as it is written in JSON. */
interface LogLine {
  readonly level: string;
  /** ISO 8601. */
  readonly time: string;
  readonly msg: string;
  readonly [name: string]: unknown;
}

type Style = Parameters<typeof styleText>[0];

/** Fields of a request that its line shows at a place of their own. */
const shownOfRequest = ["method", "route", "path", "status", "duration_ms", "user_id", "username", "request_id"];
const ofEveryLine = ["level", "time", "msg"];

/**
 * Returns a line of the log for people, with its line feed: `12:40:26 404 GET /api/v4/nothing 0.7 ms root` for a request,
 * `12:40:26 WARN the event loop is blocked operation="GET /projects"` for anything else. Times are local.
 */
export function textLine(json: string, isColoured: boolean): string {
  const line = JSON.parse(json) as LogLine;
  const paint = (style: Style, text: string) => (isColoured ? styleText(style, text, { validateStream: false }) : text);
  const time = paint("dim", new Date(line.time).toTimeString().slice(0, 8));
  if (line.msg === "request") {
    const { status, method, route, path, duration_ms, user_id, username } = line;
    const parts = [time, paint(styleOfStatus(Number(status)), String(status)), method, path ?? route];
    const who = username ?? (user_id === undefined ? undefined : `user ${user_id}`);
    const rest = fieldsOf(line, shownOfRequest);
    return `${[...parts, `${duration_ms} ms`, who, ...rest].filter((part) => part !== undefined).join(" ")}\n`;
  }
  const level = paint(styleOfLevel(line.level), line.level.toUpperCase());
  return `${[time, level, line.msg, ...fieldsOf(line, [])].join(" ")}\n`;
}

/** JSON escapes what would end the line or steer a terminal. */
function fieldsOf(line: LogLine, shown: readonly string[]): string[] {
  return Object.entries(line)
    .filter(([name]) => !shown.includes(name) && !ofEveryLine.includes(name))
    .map(([name, value]) => `${name}=${JSON.stringify(value)}`);
}

function styleOfStatus(status: number): Style {
  if (status >= 500) return "red";
  return status >= 400 ? "yellow" : "green";
}

function styleOfLevel(level: string): Style {
  if (level === "error" || level === "fatal") return "red";
  return level === "warn" ? "yellow" : "cyan";
}
