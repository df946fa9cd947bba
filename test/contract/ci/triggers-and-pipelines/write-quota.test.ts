import { expect, test } from "bun:test";
import { putCiFile } from "../../../support/ci/pipelines.ts";
import { startWorld } from "../../../support/fixtures/world.ts";

const world = await startWorld({ userWriteQuotaMb: 3 });

test("the jobs of pipelines count as what their user writes, with their changes until they run", async () => {
  const { token } = await world.user();
  const json = { path: "many-jobs", initialize_with_readme: true };
  const { id } = (await world.call("POST", "/projects", { token, json })).body;
  await putCiFile(world, id, Array.from({ length: 450 }, (_, at) => `j${at}: {script: x}`).join("\n"), { token });
  const statuses: number[] = [];
  while (statuses.length < 40 && statuses.at(-1) !== 429) {
    const { status } = await world.call("POST", `/projects/${id}/pipeline`, { token, json: { ref: "main" } });
    statuses.push(status);
  }
  expect(statuses).toEqual([201, 201, 201, 429]);
});
