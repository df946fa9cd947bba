import { styleText } from "node:util";
import { type LogLine, withoutSecrets } from "./json-line.ts";

type Style = Parameters<typeof styleText>[0];

/** The logged fields of a request. */
interface RequestFields {
  readonly status?: number;
  readonly method?: string;
  readonly route?: string;
  readonly path?: string;
  readonly duration_ms?: number;
  readonly user_id?: number;
  readonly username?: string;
}

/** Fields that have a fixed position in a request's line. */
const shownOfRequest = ["method", "route", "path", "status", "duration_ms", "user_id", "username", "request_id"];

/**
 * Returns a readable log line with a line feed: `12:40:26 404 GET /api/v4/nothing 0.7 ms root` for a request, `12:40:26 WARN
 * the event loop is blocked operation="GET /projects"` for anything else. Times are local.
 */
export function textLine({ level, time, fields, message }: LogLine, isColoured: boolean): string {
  const paint = (style: Style, text: string) => (isColoured ? styleText(style, text, { validateStream: false }) : text);
  const shownTime = paint("dim", new Date(time).toTimeString().slice(0, 8));
  if (message === "request") {
    const { status, method, route, path, duration_ms, user_id, username }: RequestFields = fields;
    const parts = [shownTime, paint(styleOfStatus(Number(status)), String(status)), method, path ?? route];
    const who = username ?? (user_id === undefined ? undefined : `user ${user_id}`);
    const rest = fieldsOf(fields, shownOfRequest);
    return `${[...parts, `${duration_ms} ms`, who, ...rest].filter((part) => part !== undefined).join(" ")}\n`;
  }
  const shownLevel = paint(styleOfLevel(level), level.toUpperCase());
  return `${[shownTime, shownLevel, message, ...fieldsOf(fields, [])].join(" ")}\n`;
}

/** Returns the other fields as JSON, which escapes line ends and control characters. */
function fieldsOf(fields: object, shown: readonly string[]): string[] {
  return Object.entries(withoutSecrets(fields))
    .filter(([name, value]) => value !== undefined && !shown.includes(name))
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
