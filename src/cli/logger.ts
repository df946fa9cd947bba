import { writeSync } from "node:fs";
import type { Config } from "../config/config.ts";
import { type Log, silentLog } from "../domain/log.ts";
import { stderr, wantsColour } from "./terminal.ts";

type LogChoice = Pick<Config, "logFormat" | "logLevel">;

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

/** Lines leave together: once there are so many bytes, or after this time. Warnings and errors leave at once. */
const gatheredBytesMax = 8192;
const gatheredMsMax = 10;

/**
 * The log on stderr: one JSON object a line, or a readable line for people. The library is loaded by the first line
 * that is logged, so that the start does not wait for it.
 */
export function createLog(choice: LogChoice): Log {
  if (choice.logLevel === "silent") return silentLog;
  let opened: Log | undefined;
  const log = (): Log => {
    opened ??= choice.logFormat === "text" ? openText(choice) : openJson(choice);
    return opened;
  };
  return {
    debug: (fields, message) => log().debug(fields, message),
    info: (fields, message) => log().info(fields, message),
    warn: (fields, message) => log().warn(fields, message),
    error: (fields, message) => log().error(fields, message),
  };
}

function openJson(choice: LogChoice): Log {
  const { pino } = require("pino") as typeof import("pino");
  const gathering = gather();
  const log = pino(
    {
      ...optionsOf(choice),
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    gathering,
  );
  const urgently = (level: "warn" | "error") => (fields: object, message: string) => {
    log[level](fields, message);
    gathering.flush();
  };
  return {
    debug: (fields, message) => log.debug(fields, message),
    info: (fields, message) => log.info(fields, message),
    warn: urgently("warn"),
    error: urgently("error"),
  };
}

/** A line of its own system call costs three times as much as the line. */
function gather() {
  let lines = "";
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    const gathered = lines;
    lines = "";
    writeLines(gathered);
  };
  process.on("exit", flush);
  return {
    write(line: string) {
      lines += line;
      if (lines.length >= gatheredBytesMax) flush();
      else timer ??= setTimeout(flush, gatheredMsMax).unref();
    },
    flush,
  };
}

/**
 * A log that nobody reads any more, or that has no space, is lost: the server goes on. pino's own destinations would try again
 * for ever, and answer nobody meanwhile.
 */
function writeLines(lines: string): void {
  let rest = Buffer.from(lines);
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(stderr, rest));
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EAGAIN")) return;
      // The reader of a pipe that does not wait is slower than the log.
      Bun.sleepSync(1);
    }
  }
}

function openText(choice: LogChoice): Log {
  const { pino } = require("pino") as typeof import("pino");
  const { prettyFactory } = require("pino-pretty") as typeof import("pino-pretty");
  const pretty = prettyFactory({
    colorize: wantsColour(stderr),
    singleLine: true,
    ignore: "pid,hostname",
    translateTime: "SYS:HH:MM:ss.l",
  });
  return pino(optionsOf(choice), { write: (line) => writeLines(pretty(line)) });
}

function optionsOf({ logLevel }: LogChoice) {
  return { level: logLevel, redact: { paths: secretNames, censor: "[hidden]" } };
}
