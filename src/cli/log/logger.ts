import type { Config } from "../../config/config.ts";
import { type Log, silentLog } from "../../lib/log.ts";
import { stderr, wantsColour } from "../output/terminal.ts";
import { directOutput, type LogOutput } from "./log-output.ts";
import { textLine } from "./text-line.ts";

export type LogChoice = Pick<Config, "logFormat" | "logLevel">;

/**
 * Names that are never logged with their values: a second belt, since nobody should hand them in.
 * At the top level only: a wildcard in such a path costs 5 µs a line, more than the line itself.
 */
const secretNames = [
  "token",
  "password",
  "private_token",
  "access_token",
  "job_token",
  "authorization",
  "cookie",
  "headers",
  "body",
];

/**
 * One JSON object a line, or a readable line for people. The library is loaded by the first line that is logged, so that
 * the start does not wait for it. Warnings and errors leave at once.
 */
export function createLog(choice: LogChoice, output: LogOutput = directOutput): Log {
  if (choice.logLevel === "silent") return silentLog;
  let opened: ReturnType<typeof open> | undefined;
  const log = () => {
    opened ??= open(choice, output);
    return opened;
  };
  const urgently = (level: "warn" | "error") => (fields: object, message: string) => {
    log()[level](fields, message);
    output.flush();
  };
  return {
    debug: (fields, message) => log().debug(fields, message),
    info: (fields, message) => log().info(fields, message),
    warn: urgently("warn"),
    error: urgently("error"),
    get droppedLines() {
      return output.droppedLines;
    },
  };
}

function open(choice: LogChoice, output: LogOutput) {
  const { pino } = require("pino") as typeof import("pino");
  const options = {
    level: choice.logLevel,
    redact: { paths: secretNames, censor: "[hidden]" },
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
  };
  if (choice.logFormat === "json") return pino(options, { write: (line) => output.write(line) });
  const isColoured = wantsColour(stderr);
  return pino(options, { write: (line) => output.write(textLine(line, isColoured)) });
}
