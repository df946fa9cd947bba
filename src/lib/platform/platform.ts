import type { Descriptors } from "./descriptors.ts";

/** A lock on a file: the system releases it with this process, however the process dies. */
export interface FileLock {
  release(): void;
}

/** The differences between the systems that Outpost runs on. No other file asks which system it is. */
export interface Platform {
  /** Creates the file if it is absent, and locks it; undefined if another process has it. Throws the system's error. */
  lockFile(path: string): FileLock | undefined;
  /** Whether a folder can be opened and synced. Where it cannot, the file system makes names durable in its own log. */
  readonly syncsFolders: boolean;
  /** How a written file is opened to sync it. */
  readonly syncFlag: "r" | "r+";
  /** The mode of a file that never changes again. */
  readonly finalFileMode: number;
  /** The codes of a rename that fails because a folder has the name already. */
  readonly folderInTheWay: readonly string[];
  /** Signals that ask a process to finish its work and end. */
  readonly stopSignals: readonly NodeJS.Signals[];
  /** How a person ends another process so that it finishes its work. */
  stopCommand(pid: number): string;
  /** A folder whose files are in memory; undefined where the system has none. */
  readonly memoryFolder: string | undefined;
  /** Whether servers can listen on socket files that have permissions. */
  readonly hasSocketFiles: boolean;
  /** The descriptors of this process; undefined where the system has no limit of them that matters. */
  readonly descriptors: (() => Descriptors) | undefined;
  /** Whether services are units of systemd. */
  readonly hasSystemd: boolean;
}
