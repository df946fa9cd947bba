import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createTempFolder } from "../support/process/temp-folder.ts";
import { type Bench, calmness, digits, interleave, median, printTable, ratio, verdict } from "./support/figures.ts";
import { createProject, rootToken, startMeasuredOutpost } from "./support/outpost.ts";

const bytes = 100 * 1024 ** 2;
const rateMin = 0.7;
const memoryMbMax = 60;

/** Seconds of a command. */
async function secondsOf(command: readonly string[]): Promise<number> {
  const startedMs = performance.now();
  const child = Bun.spawn([...command], { stdin: "ignore", stdout: "ignore", stderr: "pipe" });
  const said = await child.stderr.text();
  if ((await child.exited) !== 0) throw new Error(`${command[0]} failed: ${said}`);
  return (performance.now() - startedMs) / 1000;
}

async function run(): Promise<void> {
  await using folder = await createTempFolder();
  const file = join(folder.path, "file");
  const whole = Buffer.alloc(bytes);
  for (let at = 0; at < bytes; at += 65_536) crypto.getRandomValues(whole.subarray(at, at + 65_536));
  await writeFile(file, whole);
  await using server = await startMeasuredOutpost([], join(folder.path, "data"));
  const project = await createProject(server.origin, "bench");
  await Bun.sleep(1_000);
  const idleMb = server.rssMb();
  // The hash of root's password took more at the start.
  server.forgetPeak();
  const packages = `${server.origin}/api/v4/projects/${project}/packages/generic/bench`;
  const curl = ["curl", "--fail", "--silent", "--show-error", "--output", join(folder.path, "out")];
  const upload = (round: number) =>
    secondsOf([...curl, "--header", `PRIVATE-TOKEN: ${rootToken}`, "--upload-file", file, `${packages}/1.0/${round}`]);
  const download = () => secondsOf([...curl, "--header", `PRIVATE-TOKEN: ${rootToken}`, `${packages}/1.0/0`]);
  const copy = () => secondsOf(["dd", `if=${file}`, `of=${join(folder.path, "copy")}`, "bs=1M", "conv=fsync"]);
  await upload(0);
  const moreMb = server.peakRssMb() - idleMb;
  const rounds = await interleave(
    { "dd with a sync": copy, upload: (round) => upload(round + 1), download },
    (results) => results["dd with a sync"],
  );
  const { of } = rounds;
  printTable(
    ["", "seconds", "MB/s"],
    Object.entries(of).map(([name, seconds]) => [name, digits(median(seconds)), digits(bytes / 1e6 / median(seconds))]),
  );
  const rate = ratio(of["dd with a sync"], of.upload, (seconds) => seconds);
  console.log(`  upload, of the rate of dd with a sync: ${verdict(rate, "at least", rateMin)}`);
  console.log(`  memory of the first upload, above an idle server: ${verdict(moreMb, "at most", memoryMbMax, " MB")}`);
  console.log(`  ${calmness(rounds)}`);
}

export const bench: Bench = { title: "a package file of 100 MiB by PUT and GET, beside dd with a sync", run };
