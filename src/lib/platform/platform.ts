import type { Descriptors } from "./descriptors.ts";

/** A lock on a file. The system releases it whenever the process ends. */
export interface FileLock {
  release(): void;
}

/** The differences between operating systems. No other file checks for the system. */
export interface Platform {
  /**
   * Creates the file if necessary, and locks it. Returns undefined if another process has the lock. Throws the system's
   * error.
   */
  lockFile(path: string): FileLock | undefined;
  /** True when a folder can be synced. Otherwise the file system makes names durable itself. */
  readonly syncsFolders: boolean;
  /** The open flag for syncing a written file. */
  readonly syncFlag: "r" | "r+";
  /** The mode of a file that never changes again. */
  readonly finalFileMode: number;
  /** The error codes of a rename onto an existing folder. */
  readonly folderInTheWay: readonly string[];
  /** The signals that ask a process to stop cleanly. */
  readonly stopSignals: readonly NodeJS.Signals[];
  /** Returns the command with which a user stops another process cleanly. */
  stopCommand(pid: number): string;
  /** A folder in memory; undefined if the system has none. */
  readonly memoryFolder: string | undefined;
  /** True when servers can listen on socket files with permissions. */
  readonly hasSocketFiles: boolean;
  /** Returns the descriptors of this process; undefined on systems without a relevant limit. */
  readonly descriptors: (() => Descriptors) | undefined;
  /** True when systemd manages services. */
  readonly hasSystemd: boolean;
}
