import { expect, test } from "bun:test";
import { type Json, rootToken, startWorld } from "../../../support/fixtures/world.ts";
import { addMember } from "../../groups-and-projects/setting.ts";

const world = await startWorld();
const [dev, maintainer] = [await world.user(), await world.user()];
const post = (path: string, json: object, token = rootToken) => world.call("POST", path, { token, json });

const { body: project } = await post("/projects", { path: "guarded", initialize_with_readme: true });
addMember(world, project, dev, "developer", "project");
addMember(world, project, maintainer, "maintainer", "project");
const at = `/projects/${project.id}`;
const content = `here: { script: x, rules: [{ if: '$CI_COMMIT_REF_PROTECTED == "true"' }] }\nelse: { script: x, rules: [{ if: '$CI_COMMIT_REF_PROTECTED == "false"' }] }\n`;
const file = { branch: "main", content, commit_message: "Add CI" };
await post(`${at}/repository/files/.gitlab-ci.yml`, file);
await post(`${at}/repository/branches`, { branch: "dev", ref: "main" });

const run = (ref: string, token: string) => post(`${at}/pipeline`, { ref }, token);
const jobsOf = async ({ id }: Json) =>
  (await world.call("GET", `${at}/pipelines/${id}/jobs`, { token: rootToken })).body.map((job: Json) => job.name);

test("a pipeline on a protected branch takes the right to push or to merge", async () => {
  const refused = await run("main", dev.token);
  expect([refused.status, refused.body]).toEqual([
    400,
    {
      message: {
        base: [
          "You do not have sufficient permission to run a pipeline on 'main'. Please select a different branch or contact your administrator for assistance.",
        ],
      },
    },
  ]);
  expect((await run("dev", dev.token)).status).toBe(201);
  expect((await run("main", maintainer.token)).status).toBe(201);
  await world.call("PUT", `${at}/repository/branches/main/protect`, {
    token: rootToken,
    json: { developers_can_merge: true },
  });
  expect((await run("main", dev.token)).status).toBe(201);
});

test("CI_COMMIT_REF_PROTECTED says whether a rule matched when the pipeline was made", async () => {
  expect(await jobsOf((await run("main", rootToken)).body)).toEqual(["here"]);
  expect(await jobsOf((await run("dev", rootToken)).body)).toEqual(["else"]);
  await post(`${at}/protected_branches`, { name: "d*" });
  expect(await jobsOf((await run("dev", rootToken)).body)).toEqual(["here"]);
});
