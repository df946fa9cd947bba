/** Unpacks zlib data on the threads of the runtime, and never more bytes than announced. */

import { promisify } from "node:util";
import { constants, inflate, inflateSync, type ZlibOptions } from "node:zlib";

const inflateLater: (bytes: Uint8Array, options?: ZlibOptions) => Promise<Buffer> = promisify(inflate);

/** Bytes that come in one piece, where there are no more. */
const chunkBytesMin = 1_024;

/** Throws for bytes that unpack to another number of them. */
export async function inflateExactly(deflated: Uint8Array, size: number): Promise<Buffer> {
  const chunkSize = Math.max(chunkBytesMin, size);
  const whole = await inflateLater(deflated, { chunkSize, maxOutputLength: chunkSize });
  if (whole.length !== size) throw new Error("an object of a repository has another size than it says");
  return whole;
}

/** Compressed bytes that unpack to the first thirty, whatever codes they begin with. */
export const beginningBytes = 512;
/** Enough for most: the fewer there are, the less they unpack to. */
const shortBeginningBytes = 64;

/** Calls `parse` with the first unpacked bytes. Returns undefined when `parse` does. */
export function parseBeginning<R>(deflated: Uint8Array, parse: (unpacked: Buffer) => R | undefined): R | undefined {
  const unpacked = (length: number) =>
    inflateSync(deflated.subarray(0, length), { finishFlush: constants.Z_SYNC_FLUSH });
  return parse(unpacked(shortBeginningBytes)) ?? parse(unpacked(beginningBytes));
}
