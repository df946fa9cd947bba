/** Contents that wait for the collector of this thread. It does not see in time how much memory many buffers hold. */

const garbageBytesMax = 32 << 20;

let bytesWaiting = 0;

/** Counts bytes of buffers that are soon needed no more, and collects them before they are many. */
export function countGarbage(bytes: number): void {
  bytesWaiting += bytes;
  if (bytesWaiting < garbageBytesMax) return;
  bytesWaiting = 0;
  Bun.gc(true);
}
