import { expect, test } from "bun:test";
import { type EpicRecord, epics } from "../../../../src/modules/planning/epics/records.ts";
import { type Json, rootToken, startWorld } from "../../../support/fixtures/world.ts";
import { setTracker } from "../../../support/planning/tracked-group.ts";

// No job runs: what is seen between a deletion and the end of its job stays for a while.
const world = await startWorld({}, { jobKinds: [] });
const { group, project, epic, issue } = await setTracker(world);

const titles = async (query: Json) =>
  (await world.get(`/groups/${group.id}/epics`, { query })).body.map(({ title }: Json) => title);

test("a deleted label is on no epic, whatever their number", async () => {
  const noisy = await epic({ title: "noisy", labels: "noise" });
  const both = await epic({ title: "both", labels: "noise,speed" });
  const draft = world.store.of(epics).get(noisy.id) as EpicRecord;
  world.store.transact((tx) => {
    for (let at = 0; at < 250; at += 1) {
      tx.insert(epics, { ...draft, id: tx.nextId("epics"), iid: 1_000 + at, title: "filler", state: "closed" });
    }
  });
  const newest = await epic({ title: "newest", labels: "noise" });
  await world.call("DELETE", `/groups/${group.id}/labels/noise`, { token: rootToken });
  const carriers = world.store.of(epics).by.label_id.find(draft.label_ids[0] as number);
  expect(carriers.has(newest.id)).toBe(true);
  expect(await titles({ labels: "noise" })).toEqual([]);
  expect((await titles({ labels: "None", state: "opened" })).sort()).toEqual(["newest", "noisy"]);
  expect(await titles({ labels: "Any" })).toEqual(["both"]);
  expect((await world.get(`/groups/${group.id}/epics/${newest.iid}`)).body.labels).toEqual([]);
  const { body } = await world.call("PUT", `/groups/${group.id}/epics/${newest.iid}`, {
    token: rootToken,
    json: { add_labels: "speed" },
  });
  expect(body.labels).toEqual(["speed"]);
  expect(both.labels).toEqual(["noise", "speed"]);
});

test("a deleted milestone gives no dates", async () => {
  const made = await epic();
  const json = { title: "May", start_date: "2024-05-01", due_date: "2024-05-31" };
  const { body } = await world.call("POST", `/projects/${project.id}/milestones`, { token: rootToken, json });
  for (let at = 0; at < 205; at += 1) await issue({ milestone_id: body.id, epic_id: made.id });
  const shown = async () => (await world.get(`/groups/${group.id}/epics/${made.iid}`)).body;
  expect(await shown()).toMatchObject({ start_date: "2024-05-01", due_date: "2024-05-31" });
  await world.call("DELETE", `/projects/${project.id}/milestones/${body.id}`, { token: rootToken });
  expect(await shown()).toMatchObject({ start_date: null, due_date: null });
});
