import { expect, test } from "bun:test";
import { epics } from "../../../src/modules/planning/epics/records.ts";
import { issues } from "../../../src/modules/planning/issues/records.ts";
import { labels } from "../../../src/modules/planning/labels/records.ts";
import { milestones } from "../../../src/modules/planning/milestones/records.ts";
import { putGroup, putProject } from "../../support/fixtures/places.ts";
import { rootToken, startWorld } from "../../support/fixtures/world.ts";
import { trackerOf } from "../../support/planning/tracker.ts";

const world = await startWorld();
const tracker = trackerOf(world);
const act = (method: "POST" | "PUT", path: string, json: object = {}) =>
  world.call(method, path, { token: rootToken, json });

/** A private group with a label and a milestone, and a public project with an issue that has both, and labels of its own. */
async function setting() {
  const group = putGroup(world, { visibility: "private" });
  const project = putProject(world, group.id, { visibility: "private" });
  const { body: label } = await act("POST", `/groups/${group.id}/labels`, { name: "plan", color: "#112233" });
  const { body: milestone } = await act("POST", `/groups/${group.id}/milestones`, {
    title: "one",
    due_date: "2027-05-01",
  });
  const { body: issue } = await act("POST", `/projects/${project.id}/issues`, {
    title: "t",
    labels: "plan,own",
    milestone_id: milestone.id,
  });
  return { group, project, label, milestone, issue };
}

const issueNow = (id: number) => {
  const issue = world.store.of(issues).get(id);
  if (issue === undefined) throw new Error("the issue is gone");
  return issue;
};
const labelsOf = (ids: readonly number[]) => ids.map((id) => world.store.of(labels).get(id));

test("a project that leaves a group takes copies of the labels and milestones that its issues have", async () => {
  const { group, project, label, milestone, issue } = await setting();
  const personal = await world.user();
  const { status } = await act("PUT", `/projects/${project.id}/transfer`, { namespace: personal.username });
  expect(status).toBe(200);
  await world.jobsDone();
  await act("PUT", `/groups/${group.id}/milestones/${milestone.id}`, { title: "secret" });
  await act("PUT", `/groups/${group.id}/labels/${label.id}`, { new_name: "secret" });
  const { body } = await world.get(`/projects/${project.id}/issues/${issue.iid}`);
  expect(body.labels).toEqual(["own", "plan"]);
  expect(body.milestone).toMatchObject({ title: "one", due_date: "2027-05-01", project_id: project.id });
  expect(body.updated_at).toBe(issue.updated_at);
  for (const each of labelsOf(issueNow(issue.id).label_ids)) {
    expect(each).toMatchObject({ source_type: "project", source_id: project.id });
  }
  const copy = labelsOf(issueNow(issue.id).label_ids).find((each) => each?.title === "plan");
  expect(copy?.color).toBe("#112233");
});

test("it uses those of the same titles that its new place has", async () => {
  const { project, issue } = await setting();
  const target = putGroup(world, { visibility: "private" });
  const { body: label } = await act("POST", `/groups/${target.id}/labels`, { name: "plan", color: "#445566" });
  const { body: milestone } = await act("POST", `/groups/${target.id}/milestones`, { title: "one" });
  await act("PUT", `/projects/${project.id}/transfer`, { namespace: target.id });
  await world.jobsDone();
  const { label_ids, milestone_id } = issueNow(issue.id);
  expect([label_ids.includes(label.id), milestone_id]).toEqual([true, milestone.id]);
});

test("issues and epics below a transferred group have no labels or milestones of its former parents", async () => {
  const { group, project, label, milestone } = await setting();
  const child = putGroup(world, { parent_id: group.id, visibility: "private" });
  const below = putProject(world, child.id, { visibility: "private" });
  const { body: issue } = await act("POST", `/projects/${below.id}/issues`, {
    title: "t",
    labels: "plan",
    milestone_id: milestone.id,
  });
  const epic = tracker.epic(child.id, 1, { label_ids: [label.id] });
  const other = putProject(world, child.id, { visibility: "private" });
  await act("POST", `/projects/${other.id}/issues`, { title: "t", labels: "plan" });
  const before = world.store.of(labels).by.title.find("plan").size;
  const { body: untouched } = await act("POST", `/projects/${project.id}/issues`, { title: "t", labels: "plan" });
  expect((await act("POST", `/groups/${child.id}/transfer`)).status).toBe(201);
  await world.jobsDone();
  const { label_ids, milestone_id } = issueNow(issue.id);
  const sources = [
    ...labelsOf([...label_ids, ...(world.store.of(epics).get(epic.id)?.label_ids ?? [])]),
    world.store.of(milestones).get(milestone_id ?? 0),
  ].map((each) => `${each?.source_type} ${each?.source_id}`);
  expect(sources).toEqual([`group ${child.id}`, `group ${child.id}`, `group ${child.id}`]);
  expect(world.store.of(labels).by.title.find("plan").size).toBe(before + 1);
  expect(issueNow(untouched.id).label_ids).toEqual([label.id]);
});
