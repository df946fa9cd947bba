import { describe, expect, test } from "bun:test";
import { makePipeline, putCiFile } from "../../../support/ci/pipelines.ts";
import { makeRunner, takeJob } from "../../../support/ci/runner.ts";
import { placesOf } from "../../../support/fixtures/places.ts";
import { type Json, rootToken, startWorld } from "../../../support/fixtures/world.ts";

const world = await startWorld({ edition: "premium" });
const places = placesOf(world);
const top = places.group({ path: "fleet" });
const sub = places.group({ path: "vans", parent_id: top.id });

let count = 0;
async function newProject(ciFile: string): Promise<{ id: number; runner: string }> {
  count += 1;
  const { id } = places.project(sub.id, { path: `van${count}` });
  await putCiFile(world, id, ciFile);
  return { id, runner: await makeRunner(world, { runner_type: "project_type", project_id: id }) };
}
const set = async (source: string, json: Json) => {
  const path = source === "instance" ? "/admin/ci/variables" : `/${source}/variables`;
  const { status, body } = await world.call("POST", path, { token: rootToken, json });
  if (status !== 201) throw new Error(`no variable: ${JSON.stringify(body)}`);
};
const variablesOf = (job: Json | undefined): Map<string, Json> =>
  new Map(job?.variables.map((each: Json) => [each.key, each]));

describe("the variables of a job", () => {
  test("come from the pipeline, the project, the nearest group, the instance and the file, in this order", async () => {
    const keys = ["GIVEN", "PROJECT", "SUB", "TOP", "INSTANCE", "JOB", "CI_JOB_STAGE"];
    const values = (from: string) => keys.map((key) => `${key}: ${from}`).join(", ");
    const { id, runner } = await newProject(`test: {script: [make], variables: {${values("job")}}}`);
    for (const key of keys.slice(0, 5)) await set("instance", { key, value: "instance" });
    for (const key of keys.slice(0, 4)) await set(`groups/${top.id}`, { key, value: "top" });
    for (const key of keys.slice(0, 3)) await set(`groups/${sub.id}`, { key, value: "sub" });
    for (const key of keys.slice(0, 2)) await set(`projects/${id}`, { key, value: "project" });
    await makePipeline(world, id, { variables: [{ key: "GIVEN", value: "given" }] });
    const found = variablesOf(await takeJob(world, runner));
    expect(keys.map((key) => found.get(key)?.value)).toEqual([
      "given",
      "project",
      "sub",
      "top",
      "instance",
      "job",
      "job",
    ]);
    expect(found.get("PROJECT")).toEqual({ key: "PROJECT", value: "project", public: false, masked: false });
  });

  test("are files, masked, raw, and expanded as they say", async () => {
    const { id, runner } = await newProject("test: {script: [make], variables: {ALL: $PLAIN-$RAW}}");
    const at = `projects/${id}`;
    await set(at, { key: "PLAIN", value: "in $CI_PROJECT_ID" });
    await set(at, { key: "RAW", value: "$PLAIN", raw: true });
    await set(at, { key: "PAPER", value: "text", variable_type: "file" });
    await set(at, { key: "TOKEN", value: "12345678", masked: true });
    await makePipeline(world, id);
    const found = variablesOf(await takeJob(world, runner));
    expect(found.get("ALL")?.value).toBe(`in ${id}-$RAW`);
    expect(found.get("RAW")).toMatchObject({ value: "$PLAIN", raw: true });
    expect(found.get("PAPER")).toMatchObject({ value: "text", file: true });
    expect(found.get("TOKEN")).toMatchObject({ value: "12345678", masked: true });
  });

  test("that are protected reach jobs of protected branches alone", async () => {
    const { id, runner } = await newProject("test: {script: [make], rules: [{if: $SAFE || $CI_COMMIT_BRANCH}]}");
    await set(`projects/${id}`, { key: "SAFE", value: "yes", protected: true });
    await makePipeline(world, id);
    expect(variablesOf(await takeJob(world, runner)).has("SAFE")).toBe(false);
    await world.call("POST", `/projects/${id}/protected_branches`, { token: rootToken, json: { name: "main" } });
    await makePipeline(world, id);
    expect(variablesOf(await takeJob(world, runner)).get("SAFE")?.value).toBe("yes");
  });

  test("have the scope that is closest to the job's environment", async () => {
    const environments = ["none", "staging", "review/x/blue", "review/x", "production"];
    const jobs = environments.map(
      (name, at) => `job${at}: {script: [make]${name === "none" ? "" : `, environment: ${name}`}}`,
    );
    const { id, runner } = await newProject(jobs.join("\n"));
    for (const scope of ["review/*", "review/x/*", "*/x", "review/x", "prod*ion"]) {
      await set(`projects/${id}`, { key: "WHERE", value: scope, environment_scope: scope });
    }
    await set(`groups/${sub.id}`, { key: "WHERE", value: "group *" });
    await makePipeline(world, id);
    const seen = new Map<string, unknown>();
    for (let job = await takeJob(world, runner); job !== undefined; job = await takeJob(world, runner)) {
      seen.set(job.job_info.name, variablesOf(job).get("WHERE")?.value);
    }
    expect([...seen.values()]).toEqual(["group *", "group *", "review/x/*", "review/x", "prod*ion"]);
  });

  test("decide rules, names and tags, if they are for every environment", async () => {
    const { id } = await newProject(`
workflow: {name: "For $CUSTOMER"}
wanted: {script: [make], rules: [{if: $CUSTOMER == "post"}]}
unwanted: {script: [make], rules: [{if: $ELSEWHERE}]}
`);
    await set(`projects/${id}`, { key: "CUSTOMER", value: "post", masked: false });
    await set(`projects/${id}`, { key: "ELSEWHERE", value: "1", environment_scope: "production" });
    const made = await makePipeline(world, id);
    expect(made.name).toBe("For post");
    const jobs = await world.get(`/projects/${id}/pipelines/${made.id}/jobs`);
    expect(jobs.body.map(({ name }: Json) => name)).toEqual(["wanted"]);
    expect((await world.get(`/projects/${id}/pipelines/${made.id}/variables`)).body).toEqual([]);
  });

  test("hold nobody up, however often they name each other", async () => {
    const { id } = await newProject("test: {script: [make]}");
    for (const at of [1, 2]) await set(`projects/${id}`, { key: `LONG${at}`, value: "$A".repeat(500_000) });
    const refused = await world.call("POST", `/projects/${id}/pipeline`, { token: rootToken, json: { ref: "main" } });
    expect([refused.status, refused.body.message]).toEqual([400, { base: ["the file takes too long to work out"] }]);
    const { id: other, runner } = await newProject(
      `test: {script: [make], id_tokens: {T: {aud: [${Array.from({ length: 200 }, () => '"$LONG"').join(", ")}]}}}`,
    );
    await set(`projects/${other}`, { key: "LONG", value: "a".repeat(900_000) });
    await makePipeline(world, other);
    const job = await takeJob(world, runner);
    expect(variablesOf(job).has("T")).toBe(false);
    expect(JSON.stringify(job).length).toBeLessThan(1_100_000);
  });
});
