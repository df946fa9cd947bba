import { expect, test } from "bun:test";
import { makePipeline, putCiFile } from "../../../support/ci/pipelines.ts";
import { type Json, startWorld } from "../../../support/fixtures/world.ts";
import { addMember } from "../../groups-and-projects/setting.ts";
import { makeProject } from "./setting.ts";

const world = await startWorld();
// Nothing takes such a job, so it fails at once, and the pipeline with it unless that is allowed.
const failing = "job: {trigger: other/project}";
const passing = "job: {trigger: other/project, allow_failure: true}";

async function project() {
  const dev = await world.user();
  const made = await makeProject(world);
  addMember(world, made, dev, "developer", "project");
  const mails = async () => {
    const { body } = await world.get("/-/outbox");
    return body.filter(({ to }: Json) => to === dev.email).map(({ event }: Json) => event);
  };
  const run = async (ci: string) => {
    await putCiFile(world, made.id, ci);
    const { id } = await makePipeline(world, made.id, {}, dev.token);
    return (await world.get(`/projects/${made.id}/pipelines/${id}`)).body.status;
  };
  return { dev, mails, run };
}

test("the owner of a failed pipeline gets a mail, and another when the next one of the ref is fixed", async () => {
  const { mails, run } = await project();
  expect([await run(failing), await mails()]).toEqual(["failed", ["failed_pipeline"]]);
  expect([await run(passing), await mails()]).toEqual(["success", ["fixed_pipeline", "failed_pipeline"]]);
  expect([await run(`${passing}\n`), await mails()]).toEqual(["success", ["fixed_pipeline", "failed_pipeline"]]);
});

test("a success sends a mail only to users who asked for it", async () => {
  const { dev, mails, run } = await project();
  const json = { level: "custom", success_pipeline: true };
  expect((await world.call("PUT", "/notification_settings", { token: dev.token, json })).status).toBe(200);
  await run(passing);
  expect(await mails()).toEqual(["success_pipeline"]);
});
