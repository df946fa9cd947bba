import { describe, expect, test } from "bun:test";
import { issueConditions } from "../../../../src/modules/planning/issues/index.ts";
import { issues } from "../../../../src/modules/planning/issues/records.ts";
import {
  unlinkEverywhere,
  unlinkJob,
  withoutLabel,
  withoutMilestone,
} from "../../../../src/modules/planning/pending-unlinks/index.ts";
import { pendingUnlinks } from "../../../../src/modules/planning/pending-unlinks/records.ts";
import { placesOf } from "../../../support/fixtures/places.ts";
import { rootToken, startWorld } from "../../../support/fixtures/world.ts";
import { addIssues } from "../../../support/planning/issues.ts";
import { addLabel, addMilestone } from "../../../support/planning/labels.ts";

/** More than a deletion changes itself. */
const many = 450;

/** A project and its sibling; what is left for the job waits until `letJobRun`. */
async function scene() {
  const gate = Promise.withResolvers<void>();
  const run = async (job: Parameters<typeof unlinkJob.run>[0]) => {
    await gate.promise;
    await unlinkJob.run(job);
  };
  const world = await startWorld({}, { jobKinds: [{ ...unlinkJob, run }] });
  const places = placesOf(world);
  const group = places.group();
  const project = places.project(group.id);
  const sibling = places.project(group.id);
  const source = { type: "project", id: project.id } as const;
  const root = world.context.store;
  const caller = {
    user: { id: 1, username: "root", name: "", email: "", is_admin: true, is_auditor: false, external: false },
    token: undefined,
    ipAddress: null,
  };
  return {
    ...{ world, group, project, sibling, source },
    call: (method: string, path: string, json?: object) => world.call(method, path, { token: rootToken, json }),
    /** The number of the project's issues that a filter leaves. */
    count: (filters: Parameters<typeof issueConditions>[2]) =>
      root.count(issues, issueConditions(world.context, caller, filters, { project })),
    letJobRun() {
      gate.resolve();
      return world.jobsDone();
    },
    leaving: () => world.store.of(pendingUnlinks).size,
  };
}

describe("with more issues than one change may touch", () => {
  test("a deleted label is shown on none of them, before the job and after it", async () => {
    const { world, project, source, call, count, leaving, letJobRun } = await scene();
    const [gone, kept] = [addLabel(world, source, { title: "gone" }), addLabel(world, source, { title: "kept" })];
    addIssues(
      world,
      project.id,
      Array.from({ length: many }, (_, at) => ({ label_ids: at % 2 === 0 ? [gone.id] : [kept.id, gone.id] })),
    );
    const check = async () => {
      expect(count({ labels: ["gone"] })).toBe(0);
      expect(count({ labels: ["kept"] })).toBe(many / 2);
      expect(count({ labels: ["None"] })).toBe(many / 2);
      expect(count({ labels: ["Any"] })).toBe(many / 2);
      expect(count({ not: { labels: ["None"] } })).toBe(many / 2);
      for (const [iid, labels] of [
        [1, []],
        [2, ["kept"]],
        [many - 1, []],
        [many, ["kept"]],
      ] as const) {
        expect((await world.get(`/projects/${project.id}/issues/${iid}`)).body.labels).toEqual(labels);
      }
    };
    expect(count({ labels: ["gone"] })).toBe(many);
    expect((await call("DELETE", `/projects/${project.id}/labels/gone`)).status).toBe(204);
    expect(leaving()).toBe(1);
    await check();
    await letJobRun();
    expect(leaving()).toBe(0);
    expect(world.store.of(issues).by.label_id.find(gone.id).size).toBe(0);
    expect(withoutLabel(world.store, issues)).toEqual({ index: "label_id", key: 0 });
    await check();
  });

  test("merged labels and milestones are found as their targets", async () => {
    const { world, project, sibling, source, call, count, leaving, letJobRun } = await scene();
    const [label, milestone] = [addLabel(world, source, { title: "x" }), addMilestone(world, source, { title: "x" })];
    const promoted = { type: "project", id: sibling.id } as const;
    const [first, sprint] = [addLabel(world, promoted, { title: "x" }), addMilestone(world, promoted, { title: "x" })];
    addIssues(
      world,
      project.id,
      Array.from({ length: many }, () => ({ label_ids: [label.id], milestone_id: milestone.id })),
    );
    const check = async () => {
      expect(count({ labels: ["x"], milestone: "x" })).toBe(many);
      expect(count({ labels: ["None"] }) + count({ milestone: "None" })).toBe(0);
      const { body } = await world.get(`/projects/${project.id}/issues/${many}`);
      expect([body.labels, body.milestone.id]).toEqual([["x"], sprint.id]);
      const query = { with_counts: true };
      expect((await world.get(`/projects/${project.id}/labels/`, { query })).body[0].open_issues_count).toBe(many);
    };
    expect((await call("PUT", `/projects/${sibling.id}/labels/promote`, { name: "x" })).body.id).toBe(first.id);
    const path = `/projects/${sibling.id}/milestones/${sprint.id}/promote`;
    expect((await call("POST", path)).body.id).toBe(sprint.id);
    expect(leaving()).toBe(2);
    await check();
    await letJobRun();
    expect(leaving()).toBe(0);
    await check();
    expect(world.store.of(issues).by.label_id.find(first.id).size).toBe(many);
  });

  test("a merged label is deleted with its target, even before the job ends", async () => {
    const { world, project, sibling, source, count, leaving, letJobRun } = await scene();
    const label = addLabel(world, source, { title: "x" });
    const [milestone, sprint] = [
      addMilestone(world, source, { title: "x" }),
      addMilestone(world, { type: "project", id: sibling.id }, { title: "x" }),
    ];
    addIssues(
      world,
      project.id,
      Array.from({ length: many }, () => ({ label_ids: [label.id], milestone_id: milestone.id })),
    );
    world.store.transact((tx) => {
      unlinkEverywhere(tx, world.context, "milestone", milestone.id, sprint.id);
      unlinkEverywhere(tx, world.context, "milestone", sprint.id, null);
    });
    expect(leaving()).toBeGreaterThan(0);
    expect(count({ milestone: "Any" })).toBe(0);
    expect(count({ milestone: "None" })).toBe(many);
    await letJobRun();
    expect(leaving()).toBe(0);
    expect(withoutMilestone(world.store, issues)).toEqual({ index: "milestone_id", key: 0 });
    expect(world.store.of(issues).by.milestone_id.find(0).size).toBe(many);
  });
});
