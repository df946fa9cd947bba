import { expect, test } from "bun:test";
import { createPublicKey, verify } from "node:crypto";
import { makePipeline, putCiFile } from "../../../../support/ci/pipelines.ts";
import { makeRunner, takeJob } from "../../../../support/ci/runner.ts";
import { type Json, rootToken, startWorld } from "../../../../support/fixtures/world.ts";
import { makeProject } from "../setting.ts";

const world = await startWorld();

const get = async (path: string): Promise<Json> => (await fetch(`${world.origin}${path}`)).json();

async function runWith(ci: string) {
  const { id, path_with_namespace } = await makeProject(world);
  await putCiFile(world, id, ci);
  const pipeline = await makePipeline(world, id);
  const runner = await makeRunner(world, { runner_type: "project_type", project_id: id });
  const job: Json = await takeJob(world, runner);
  return { id, path: path_with_namespace as string, pipeline, job };
}

const variableOf = (job: Json, wanted: string) => job.variables.find(({ key }: Json) => key === wanted);

test("a job has an ID token for each of its services, which they verify with the keys of the server", async () => {
  const { id, path, pipeline, job } = await runWith(`
a:
  script: x
  timeout: 10 minutes
  environment: review/$CI_COMMIT_BRANCH
  id_tokens:
    CLOUD: {aud: "https://cloud.example/$CI_PROJECT_ROOT_NAMESPACE"}
    VAULT: {aud: [https://vault.example, other]}
`);
  expect(variableOf(job, "CLOUD")).toMatchObject({ public: false, masked: true });
  const { issuer, jwks_uri } = await get("/.well-known/openid-configuration");
  const { keys } = await get(new URL(jwks_uri).pathname);
  const [head = "", body = "", signature = ""] = variableOf(job, "CLOUD").value.split(".");
  const read = (part: string) => JSON.parse(Buffer.from(part, "base64url").toString());
  expect(read(head)).toEqual({ kid: keys[0].kid, typ: "JWT", alg: "RS256" });
  const publicKey = createPublicKey({ key: keys[0], format: "jwk" });
  const isValid = (text: string) =>
    verify("RSA-SHA256", Buffer.from(text), publicKey, Buffer.from(signature, "base64url"));
  expect([isValid(`${head}.${body}`), isValid(`${head}.${body}x`)]).toEqual([true, false]);
  const now = Math.floor(world.clock.now() / 1000);
  expect(read(body)).toMatchObject({
    iss: issuer,
    sub: `project_path:${path}:ref_type:branch:ref:main`,
    aud: "https://cloud.example/root",
    iat: now,
    nbf: now - 5,
    exp: now + 600,
    jti: expect.any(String),
    project_id: String(id),
    project_path: path,
    namespace_path: "root",
    user_login: "root",
    user_access_level: "owner",
    pipeline_id: String(pipeline.id),
    pipeline_source: "api",
    job_id: String(job.id),
    ref: "main",
    ref_type: "branch",
    ref_path: "refs/heads/main",
    ref_protected: "false",
    sha: pipeline.sha,
    runner_environment: "self-hosted",
    environment: "review/main",
    environment_action: "start",
    deployment_tier: "development",
    ci_config_ref_uri: `${new URL(issuer).host}/${path}//.gitlab-ci.yml@refs/heads/main`,
    ci_config_sha: pipeline.sha,
  });
  const other = read(variableOf(job, "VAULT").value.split(".")[1]);
  expect(other.aud).toEqual(["https://vault.example", "other"]);
  expect(other.jti).not.toBe(read(body).jti);
});

test("the token has the identities of a user who passes them on", async () => {
  const identities = async () => {
    const { job } = await runWith("a: {script: x, id_tokens: {CLOUD: {aud: x}}}");
    const [, body = ""] = variableOf(job, "CLOUD").value.split(".");
    return JSON.parse(Buffer.from(body, "base64url").toString()).user_identities;
  };
  const send = async (path: string, json: object) => {
    const { status, text } = await world.call("PUT", path, { token: rootToken, json });
    if (status !== 200) throw new Error(`${path}: ${status} ${text}`);
  };
  const passOn = (pass_user_identities_to_ci_jwt: boolean) =>
    send("/user/preferences", { pass_user_identities_to_ci_jwt });
  await send("/users/1", { provider: "github", extern_uid: "4711" });
  expect(await identities()).toBeUndefined();
  await passOn(true);
  expect(await identities()).toEqual([{ provider: "github", extern_uid: "4711" }]);
  await passOn(false);
  expect(await identities()).toBeUndefined();
});

test("a job without id_tokens has none, and one with more than twenty is refused", async () => {
  const { job } = await runWith("a: {script: x}");
  expect(job.variables.filter(({ value }: Json) => value.startsWith("eyJ"))).toEqual([]);
  const many = Array.from({ length: 21 }, (_, at) => `T${at}: {aud: x}`).join(", ");
  expect(runWith(`a: {script: x, id_tokens: {${many}}}`)).rejects.toThrow("id_tokens config has more than 20 tokens");
});

test("the issuer is where the server listens, whatever host the request of the runner names", async () => {
  const { id } = await makeProject(world);
  await putCiFile(world, id, "a: {script: x, id_tokens: {CLOUD: {aud: cloud}}}");
  await makePipeline(world, id);
  const token = await makeRunner(world, { runner_type: "project_type", project_id: id });
  const headers = { Host: "evil.example", "Content-Type": "application/json" };
  const answer = await fetch(`${world.origin}/api/v4/jobs/request`, {
    ...{ method: "POST", headers, body: JSON.stringify({ token }) },
  });
  const job: Json = await answer.json();
  expect(variableOf(job, "CI_SERVER_HOST").value).toBe("evil.example");
  const [, body = ""] = variableOf(job, "CLOUD").value.split(".");
  const claims = JSON.parse(Buffer.from(body, "base64url").toString());
  const discovered: Json = await (await fetch(`${world.origin}/.well-known/openid-configuration`, { headers })).json();
  expect([claims.iss, discovered.issuer]).toEqual([world.origin, world.origin]);
  expect(claims.ci_config_ref_uri).toStartWith(`${new URL(world.origin).host}/`);
});
