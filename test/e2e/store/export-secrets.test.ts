import { afterAll, beforeAll, expect, test } from "bun:test";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { makeRunner, takeJob } from "../../support/ci/runner.ts";
import type { Json } from "../../support/fixtures/world.ts";
import { until } from "../../support/process/fault-client.ts";
import { type OutpostProcess, runOutpost, startOutpost } from "../../support/process/outpost-process.ts";
import { createTempFolder, type TempFolder } from "../../support/process/temp-folder.ts";

const rootToken = "canary-root-token-0123456789";
const ci = `
first: {script: x}
by hand: {script: x, when: manual}
child: {trigger: {include: child.yml, forward: {pipeline_variables: true}}}
`;
let folder: TempFolder;
let data: string;
/** Secrets by name: those given to the server, and those that it showed once. */
const canaries: Record<string, string> = { "root token": rootToken };

/** A text that nothing else says. */
function canary(name: string): string {
  const text = `canary-of-${name.replaceAll(" ", "-")}-9f3d`;
  canaries[name] = text;
  return text;
}

function note(name: string, told: unknown): string {
  if (typeof told !== "string" || told === "") throw new Error(`${name} was not told`);
  canaries[name] = told;
  return told;
}

async function plant(outpost: OutpostProcess): Promise<void> {
  async function call(method: string, path: string, json?: object): Promise<Json> {
    const headers = { "PRIVATE-TOKEN": rootToken, "Content-Type": "application/json" };
    const body = json === undefined ? {} : { body: JSON.stringify(json) };
    const answer = await fetch(`${outpost.origin}/api/v4${path}`, { method, headers, ...body });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return text === "" ? undefined : JSON.parse(text);
  }
  const import_url = `https://import:${canary("password of an address")}@git.people.example/a.git`;
  // Refused, so the address is not to be found anywhere.
  await expect(call("POST", "/projects", { path: "refused", import_url })).rejects.toThrow("/projects: 422");
  const project = await call("POST", "/projects", { path: "vault", initialize_with_readme: true });
  const at = `/projects/${project.id}`;
  const group = await call("POST", "/groups", { name: "vault", path: "vault-group" });
  for (const [name, path] of [
    ["registration token of a project", `${at}/runners/reset_registration_token`],
    ["registration token of a group", `/groups/${group.id}/runners/reset_registration_token`],
    ["registration token of all", "/runners/reset_registration_token"],
  ] as const) {
    note(name, (await call("POST", path)).token);
  }
  const password = canary("password");
  const user = { name: "Kim", username: "kim", email: "kim@people.example", password };
  const { id: userId } = await call("POST", "/users", user);
  const scopes = { name: "t", scopes: ["api"] };
  note("impersonation token", (await call("POST", `/users/${userId}/impersonation_tokens`, scopes)).token);
  note("personal token", (await call("POST", `/users/${userId}/personal_access_tokens`, scopes)).token);
  await call("PUT", "/application/settings", {
    akismet_api_key: canary("key of akismet"),
    recaptcha_private_key: canary("key of recaptcha"),
    spam_check_api_key: canary("key of the spam check"),
    spam_check_endpoint_url: `https://spam:${canary("password of the spam check")}@spam.people.example/check`,
  });
  const api_url = `https://oncall:${canary("password of the on-call product")}@oncall.people.example/alerts`;
  await call("PUT", `${at}/alert_management_on_call_integration`, { active: false, api_url });
  const keys = `${at}/alert_management_http_integrations`;
  note("key of alerts", (await call("POST", keys, { name: "Probes" })).token);
  for (const [path, content] of [
    ["child.yml", "c: {script: x}"],
    [".gitlab-ci.yml", ci],
  ]) {
    const commit = { branch: "main", commit_message: "CI [skip ci]", content };
    await call("POST", `${at}/repository/files/${encodeURIComponent(path as string)}`, commit);
  }
  const runner = note("token of a runner", await makeRunner(outpost, {}, rootToken));
  const variables = [{ key: "GIVEN", value: canary("variable of a pipeline") }];
  const pipeline = await call("POST", `${at}/pipeline`, { ref: "main", variables });
  const trigger = note("token of a trigger", (await call("POST", `${at}/triggers`, { description: "nightly" })).token);
  await call("POST", `${at}/trigger/pipeline`, {
    ...{ ref: "main", token: trigger, body: canary("body of a trigger") },
    variables: { BY_TRIGGER: canary("variable of a trigger") },
  });
  const waiting = async (): Promise<Json> =>
    (await call("GET", `${at}/pipelines/${pipeline.id}/jobs`)).find(({ status }: Json) => status === "manual");
  await until("a job waits for somebody", async () => (await waiting()) !== undefined);
  const played = [{ key: "PLAYED", value: canary("variable of a job") }];
  await call("POST", `${at}/jobs/${(await waiting()).id}/play`, { job_variables_attributes: played });
  note("token of a job", (await takeJob(outpost, runner))?.token);
}

/** All files of an export as one text. */
async function exported(name: string, ...flags: string[]): Promise<string> {
  const path = join(folder.path, name);
  const { exitCode, stderr } = await runOutpost(["export", path, "--data", data, ...flags]);
  if (exitCode !== 0) throw new Error(stderr);
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return (await Promise.all(files.map((file) => readFile(join(file.parentPath, file.name), "latin1")))).join("\n");
}

beforeAll(async () => {
  folder = await createTempFolder();
  data = join(folder.path, "data");
  await using outpost = await startOutpost({ dataFolder: data, env: { OUTPOST_ROOT_TOKEN: rootToken } });
  await plant(outpost);
  await outpost.stop();
}, 180_000);
afterAll(() => folder.remove());

test("an export without secrets holds nothing that was given or told as one", async () => {
  const text = await exported("without");
  const found = Object.entries(canaries).flatMap(([name, secret]) => {
    const digest = new Bun.CryptoHasher("sha256").update(secret).digest("hex");
    return text.includes(secret) || text.includes(digest) ? [name] : [];
  });
  expect(found).toEqual([]);
}, 60_000);

test("an export with its flag has the secrets that the store has in plain text", async () => {
  const text = await exported("with", "--secrets");
  for (const name of ["token of a trigger", "variable of a pipeline", "variable of a trigger", "variable of a job"]) {
    expect([name, text.includes(canaries[name] as string)]).toEqual([name, true]);
  }
  expect(text).toContain(canaries["body of a trigger"] as string);
  expect(text).not.toContain(canaries["password of an address"] as string);
}, 60_000);

test("it can be imported", async () => {
  const path = join(folder.path, "imported");
  const { exitCode, stderr } = await runOutpost(["import", join(folder.path, "without"), "--data", path]);
  expect([exitCode, stderr]).toEqual([0, expect.stringContaining("the export contains no passwords and tokens")]);
}, 60_000);
