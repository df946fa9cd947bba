import { lstatSync, unlinkSync } from "node:fs";
import { dirname } from "node:path";
import { StartError } from "../../domain/start-error.ts";
import { platform } from "../../lib/platform/index.ts";

/** The longest path of a socket file on every system, in bytes. */
const pathBytesMax = 103;

/** Only owner and group may connect; a proxy of another user needs the group. */
const othersOut = 0o117;

/**
 * Removes the socket file of a dead process. Throws `StartError` when another process listens on it, when it is another
 * file, or when none can be made there.
 */
export async function freeSocketFile(path: string): Promise<void> {
  if (!platform.hasSocketFiles) {
    throw new StartError("this system has no socket files", "outpost serve --port 8080");
  }
  if (Buffer.byteLength(path) > pathBytesMax) {
    throw new StartError(
      `the path of the socket has ${Buffer.byteLength(path)} bytes, more than the ${pathBytesMax} that the system allows`,
      "outpost serve --socket /tmp/outpost.sock",
    );
  }
  const found = lookAt(path);
  if (found === undefined) return;
  if (!found.isSocket()) {
    throw new StartError(`${path} exists and is not a socket`, "outpost serve --socket PATH, with another path");
  }
  if (await isListenedOn(path)) {
    throw new StartError(
      `another process listens on ${path}`,
      "outpost serve --socket PATH, with another path; or stop that process first",
    );
  }
  unlinkSync(path);
}

function lookAt(path: string) {
  const folder = dirname(path);
  if (lstatSync(folder, { throwIfNoEntry: false }) === undefined) {
    throw new StartError(`the folder ${folder} of the socket does not exist`, `mkdir -p ${folder}`);
  }
  return lstatSync(path, { throwIfNoEntry: false });
}

async function isListenedOn(path: string): Promise<boolean> {
  try {
    const connection = await Bun.connect({ unix: path, socket: { data: () => {} } });
    connection.end();
    return true;
  } catch {
    return false;
  }
}

/** Runs `make` with a umask, so that only owner and group may ever connect to the socket file. */
export function withUmask<T>(make: () => T): T {
  const before = process.umask(othersOut);
  try {
    return make();
  } finally {
    process.umask(before);
  }
}
