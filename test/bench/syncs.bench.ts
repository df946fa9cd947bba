import { installStrace, traceServer } from "../support/process/strace.ts";
import { type Bench, digits, printTable, verdict } from "./support/figures.ts";
import { drive } from "./support/load.ts";
import { newUserBody, rootToken, startMeasuredOutpost } from "./support/outpost.ts";

async function run(): Promise<void> {
  const missing = await installStrace();
  if (missing !== undefined) return console.log(`cannot be counted here: strace is ${missing}`);
  await using outpost = await startMeasuredOutpost(["--log-level", "warn"]);
  const url = `${outpost.origin}/api/v4/users`;
  const rows: string[][] = [];
  let alone = Number.NaN;
  for (const connections of [1, 16, 64]) {
    const trace = await traceServer(outpost.pid);
    await drive({ url, token: rootToken, connections, seconds: 1, body: newUserBody(`traced${connections}-`) });
    const events = await trace.finish();
    const answered = events.filter((event) => event === "answered").length;
    const synced = events.length - answered;
    if (connections === 1) alone = synced / answered;
    rows.push([String(connections), String(answered), String(synced), digits(synced / answered)]);
  }
  printTable(["connections", "acknowledged", "syncs", "syncs for each"], rows);
  console.log(`  alone: ${verdict(alone, "at least", 1)}`);
}

export const bench: Bench = { title: "syncs for each acknowledged POST /users, counted by strace", run };
