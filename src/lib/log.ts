/** The logger of the server. Fields never have a token, a password or a body. */
export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
  /** True when a person reads the lines, not a program. */
  readonly isForPeople?: boolean;
  /** The number of dropped lines. Absent when the log does not count them. */
  readonly droppedLines?: number;
}

export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {} };
