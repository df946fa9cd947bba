import type { Config } from "../../config/config.ts";
import { type Log, silentLog } from "../../lib/log.ts";
import { stderr, wantsColour } from "../output/terminal.ts";
import { jsonLine, type LogLine } from "./json-line.ts";
import { directOutput, type LogOutput } from "./log-output.ts";
import { textLine } from "./text-line.ts";

export type LogChoice = Pick<Config, "logFormat" | "logLevel">;

const levels = ["debug", "info", "warn", "error"] as const;
type Level = (typeof levels)[number];

/** Returns a log with one JSON object per line, or with readable lines. Warnings and errors are written at once. */
export function createLog({ logFormat, logLevel }: LogChoice, output: LogOutput = directOutput): Log {
  if (logLevel === "silent") return silentLog;
  const lowest = levels.indexOf(logLevel);
  const isColoured = wantsColour(stderr);
  const lineOf = logFormat === "json" ? jsonLine : (line: LogLine) => textLine(line, isColoured);
  const timeText = timeTexts();
  const write = (level: Level) => {
    if (levels.indexOf(level) < lowest) return () => {};
    const isUrgent = level === "warn" || level === "error";
    return (fields: object, message: string) => {
      output.write(lineOf({ level, time: timeText(), fields, message }));
      if (isUrgent) output.flush();
    };
  };
  return {
    debug: write("debug"),
    info: write("info"),
    warn: write("warn"),
    error: write("error"),
    isForPeople: logFormat === "text",
    get droppedLines() {
      return output.droppedLines;
    },
  };
}

/**
 * Returns a function for the current time in ISO 8601. It caches the text, since many lines have the same millisecond under
 * load.
 */
function timeTexts(): () => string {
  let lastMs = Number.NaN;
  let text = "";
  return () => {
    const ms = Date.now();
    if (ms !== lastMs) text = new Date(ms).toISOString();
    lastMs = ms;
    return text;
  };
}
