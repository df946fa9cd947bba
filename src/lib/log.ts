/** The logger that the server needs. Fields never hold a token, a password or a body. */
export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
  /** Whether people read the lines, and not programs. */
  readonly isForPeople?: boolean;
  /** Lines that were dropped. Left out by a log that counts none. */
  readonly droppedLines?: number;
}

export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {} };
