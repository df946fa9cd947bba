import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { installTool } from "../../support/system-tool.ts";
import { createTempFolder } from "../../support/temp-folder.ts";

export interface Load {
  readonly url: string;
  readonly token: string;
  readonly connections: number;
  readonly seconds: number;
  /** Every request makes a user whose name begins with this, where it is given. */
  readonly createUsers?: string;
}

export interface Loaded {
  readonly rate: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly requests: number;
}

/** The results that the benchmark reads from a load generator, in microseconds. */
interface Summary {
  readonly requests: number;
  readonly duration: number;
  readonly p50: number;
  readonly p99: number;
  readonly failed: number;
}

const missing = await installTool(["sh", "-c", "command -v wrk"], "wrk");

/** `wrk`, or the slower `autocannon` where there is none: then it is the generator that limits quick servers. */
export const generator = missing === undefined ? "wrk" : "autocannon";

/** Drives a server for some seconds. Throws when anything but successes came back. */
export async function drive(load: Load): Promise<Loaded> {
  const summary = generator === "wrk" ? await driveWithWrk(load) : await driveWithAutocannon(load);
  if (summary.failed > 0) throw new Error(`${summary.failed} of ${summary.requests} requests to ${load.url} failed`);
  return {
    rate: summary.requests / (summary.duration / 1e6),
    p50Ms: summary.p50 / 1e3,
    p99Ms: summary.p99 / 1e3,
    requests: summary.requests,
  };
}

const summaryScript = `
function done(summary, latency, requests)
  local errors = summary.errors
  local failed = errors.connect + errors.read + errors.write + errors.status + errors.timeout
  io.write(string.format('{"requests":%d,"duration":%d,"p50":%d,"p99":%d,"failed":%d}\\n', summary.requests,
    summary.duration, latency:percentile(50), latency:percentile(99), failed))
end
`;

function createScript(prefix: string): string {
  return `
local count = 0
wrk.headers["Content-Type"] = "application/json"
function request()
  count = count + 1
  local name = "${prefix}" .. count
  return wrk.format("POST", nil, nil, '{"email":"' .. name .. '@example.test","username":"' .. name ..
    '","name":"Somebody ' .. count .. '","force_random_password":true}')
end
`;
}

async function driveWithWrk({ url, token, connections, seconds, createUsers }: Load): Promise<Summary> {
  await using folder = await createTempFolder();
  const script = join(folder.path, "load.lua");
  await writeFile(script, summaryScript + (createUsers === undefined ? "" : createScript(createUsers)));
  const counts = ["-t1", `-c${connections}`, `-d${seconds}s`];
  return await run(["wrk", ...counts, "--latency", "-H", `PRIVATE-TOKEN: ${token}`, "-s", script, url]);
}

async function driveWithAutocannon(load: Load): Promise<Summary> {
  return run(["node", join(import.meta.dir, "autocannon.mjs"), JSON.stringify(load)]);
}

async function run(command: readonly string[]): Promise<Summary> {
  const child = Bun.spawn([...command], { stdin: "ignore", stdout: "pipe", stderr: "inherit" });
  const said = await child.stdout.text();
  const last = said.trimEnd().split("\n").at(-1) ?? "";
  if ((await child.exited) !== 0 || !last.startsWith("{")) throw new Error(`${command[0]} failed: ${said}`);
  return JSON.parse(last) as Summary;
}
