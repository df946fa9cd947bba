import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { installTool } from "../../support/process/system-tool.ts";
import { createTempFolder } from "../../support/process/temp-folder.ts";

export interface Load {
  readonly url: string;
  readonly token: string;
  /** Whether each GET asks for another page, of the first hundred, at a URL of its own. */
  readonly isVaried?: boolean;
  readonly connections: number;
  readonly seconds: number;
  /** JSON that each request posts; `{n}` in it is the number of the request. Without it the requests are GETs. */
  readonly body?: string;
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

function postScript(body: string): string {
  return `
local count = 0
local body = [[${body}]]
wrk.headers["Content-Type"] = "application/json"
function request()
  count = count + 1
  return wrk.format("POST", nil, nil, (body:gsub("{n}", count)))
end
`;
}

const variedScript = `
local count = 0
function request()
  count = count + 1
  return wrk.format("GET", wrk.path .. "&page=" .. (count % 100 + 1) .. "&n=" .. count)
end
`;

async function driveWithWrk({ url, token, isVaried, connections, seconds, body }: Load): Promise<Summary> {
  await using folder = await createTempFolder();
  const script = join(folder.path, "load.lua");
  const requests = body === undefined ? (isVaried === true ? variedScript : "") : postScript(body);
  await writeFile(script, summaryScript + requests);
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
