// Opens a store as a server does, and prints the milliseconds and the megabytes that it took. One argument: folder.
import { systemClock } from "../../../src/domain/clock.ts";
import { silentLog } from "../../../src/lib/log.ts";
import { systemRandomness } from "../../../src/lib/randomness.ts";
import { collections } from "../../../src/modules/index.ts";
import { Store } from "../../../src/store/index.ts";

const [folder] = process.argv.slice(2) as [string];
const megabytes = () => process.memoryUsage().rss / 1e6;
const before = megabytes();
const startedAt = performance.now();
const store = await Store.open({
  folder,
  collections,
  clock: systemClock,
  randomness: systemRandomness,
  log: silentLog,
  onDiskFailure: (error) => {
    throw error;
  },
});
const ms = performance.now() - startedAt;
Bun.gc(true);
console.log(JSON.stringify({ ms, megabytes: megabytes() - before }));
await store.close();
