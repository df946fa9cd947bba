import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { type Json, rootToken } from "../fixtures/world.ts";
import { createTempFolder } from "../process/temp-folder.ts";

/** A server with an origin: a world of tests, or any other. */
interface Server {
  readonly origin: string;
}

/** Sends JSON, or a body as it is, below `/api/v4`. */
async function send(
  { origin }: Server,
  method: string,
  path: string,
  { json, raw, headers = {} }: { json?: object; raw?: string; headers?: Record<string, string> } = {},
): Promise<Response> {
  const body = raw ?? JSON.stringify(json ?? {});
  const type = raw === undefined ? { "Content-Type": "application/json" } : {};
  return fetch(`${origin}/api/v4${path}`, { method, headers: { ...type, ...headers }, body });
}

/** Makes a runner of the installation unless said, and hands on its token. */
export async function makeRunner(server: Server, json: object = {}, token = rootToken): Promise<string> {
  const answer = await send(server, "POST", "/user/runners", {
    json: { runner_type: "instance_type", ...json },
    headers: { "PRIVATE-TOKEN": token },
  });
  if (answer.status !== 201) throw new Error(`no runner: ${answer.status} ${await answer.text()}`);
  return ((await answer.json()) as Json).token;
}

/** What a program of today can do. Without `cancel_gracefully`, a canceled job ends at once. */
const info = {
  features: {
    ...{ upload_multiple_artifacts: true, artifacts_exclude: true, multi_build_steps: true, return_exit_code: true },
    ...{ fallback_cache_keys: true, refspecs: true, masking: true, raw_variables: true, variables: true },
  },
};

/** The next job for a runner; undefined when there is none. */
export async function takeJob(server: Server, token: string, json: object = {}): Promise<Json | undefined> {
  const answer = await send(server, "POST", "/jobs/request", { json: { token, info, ...json } });
  if (answer.status === 204) return undefined;
  if (answer.status !== 201) throw new Error(`no job: ${answer.status} ${await answer.text()}`);
  return await answer.json();
}

/** Adds to the log of a job, from `start` on. */
export function appendLog(server: Server, job: Json, text: string, start: number): Promise<Response> {
  const end = start + Buffer.byteLength(text);
  return send(server, "PATCH", `/jobs/${job.id}/trace`, {
    raw: text,
    headers: { "JOB-TOKEN": job.token, "Content-Range": `${start}-${end}`, "Content-Type": "text/plain" },
  });
}

export function finishJob(server: Server, job: Json, json: object): Promise<Response> {
  return send(server, "PUT", `/jobs/${job.id}`, { json: { token: job.token, ...json } });
}

/**
 * Does what an unmodified runner does with a job: fetches the commit, runs the shell script of each step with the variables
 * in its environment, sends what it said, and says how it ended.
 */
async function runJob(server: Server, job: Json): Promise<"success" | "failed"> {
  const folder = await createTempFolder();
  try {
    const env = await environmentOf(job, folder.path);
    let start = 0;
    const say = async (text: string) => {
      if (text === "") return;
      const answer = await appendLog(server, job, text, start);
      if (answer.status !== 202) throw new Error(`no log: ${answer.status} ${await answer.text()}`);
      start += Buffer.byteLength(text);
    };
    const run = async (command: readonly string[]): Promise<number> => {
      const child = Bun.spawn([...command], { cwd: env.CI_PROJECT_DIR as string, env, stdout: "pipe", stderr: "pipe" });
      const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
      await say(out + err);
      return code;
    };
    const { repo_url, refspecs, sha, depth } = job.git_info;
    await run(["git", "init", "-q"]);
    let code = await run(["git", "fetch", "-q", ...(depth > 0 ? [`--depth=${depth}`] : []), repo_url, ...refspecs]);
    if (code === 0) code = await run(["git", "checkout", "-q", sha]);
    for (const step of job.steps) {
      const isDue = code === 0 ? step.when !== "on_failure" : step.when !== "on_success";
      const ended = isDue ? await run(["bash", "-e", "-c", step.script.join("\n")]) : 0;
      if (!step.allow_failure && code === 0) code = ended;
    }
    const state = code === 0 ? "success" : "failed";
    const reason = code === 0 ? {} : { failure_reason: "script_failure" };
    const answer = await finishJob(server, job, { state, exit_code: code, ...reason });
    if (answer.status !== 200) throw new Error(`no end: ${answer.status} ${await answer.text()}`);
    return state;
  } finally {
    await folder.remove();
  }
}

/** Takes and runs jobs until there are none: the next ones of a pipeline are there as soon as one has ended. */
export async function runAllJobs(server: Server, token: string): Promise<string[]> {
  const names: string[] = [];
  for (let job = await takeJob(server, token); job !== undefined; job = await takeJob(server, token)) {
    await runJob(server, job);
    names.push(job.job_info.name);
  }
  return names;
}

async function environmentOf(job: Json, folder: string): Promise<Record<string, string>> {
  const env: Record<string, string> = { PATH: process.env.PATH ?? "", HOME: folder, GIT_TERMINAL_PROMPT: "0" };
  for (const { key, value, file } of job.variables) {
    const path = join(folder, key);
    if (file) await Bun.write(path, value);
    env[key] = file ? path : value;
  }
  env.CI_PROJECT_DIR = join(folder, "project");
  await mkdir(env.CI_PROJECT_DIR);
  return env;
}
