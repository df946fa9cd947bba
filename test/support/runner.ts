import { type Json, rootToken } from "./world.ts";

/** What talks to a server over HTTP: a world of tests, or anything with an origin. */
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

/** The next job for a runner; undefined when there is none. */
export async function takeJob(server: Server, token: string, json: object = {}): Promise<Json | undefined> {
  const answer = await send(server, "POST", "/jobs/request", { json: { token, ...json } });
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
