import { expect, test } from "bun:test";
import { releaseEvidences } from "../../../src/modules/releases/releases/records-evidences.ts";
import { type Json, rootToken, startWorld } from "../../support/fixtures/world.ts";
import { addMember } from "../groups-and-projects/setting.ts";
import { makeReleases } from "./setting.ts";

const world = await startWorld({ edition: "premium" });
const { send, project, at, one } = await makeReleases(world, { description: "Measures" });
const create = async (json: object) => (await send("POST", at, undefined, { ref: "main", ...json })).body;
const sha256 = (text: string) => new Bun.CryptoHasher("sha256").update(text).digest("hex");

test("the evidence of a release says what that was when it was made", async () => {
  const milestone = await send("POST", `/projects/${project.id}/milestones`, undefined, { title: "Spring" });
  await send("POST", `/projects/${project.id}/issues`, undefined, { title: "I", milestone_id: milestone.body.id });
  const made = await create({ tag_name: "v/1", name: "One", description: "First", milestones: ["Spring"] });
  const { sha, filepath, collected_at } = made.evidences[0];
  await send("PUT", one("v/1"), undefined, { description: "Changed" });
  const evidence = await send("GET", `${one("v/1")}/evidence`);
  expect(sha256(evidence.text)).toBe(sha);
  const { iid, id, created_at } = milestone.body;
  expect(evidence.body).toEqual({
    release: {
      ...{ id: expect.any(Number), tag_name: "v/1", name: "One", description: "First", created_at: made.created_at },
      project: { id: project.id, name: project.name, description: "Measures", created_at: project.created_at },
      milestones: [{ ...{ id, iid, created_at }, title: "Spring", description: null, state: "active", due_date: null }],
    },
  });
  expect(collected_at).toBe(world.clock.time());
  const base = `${world.origin}/${project.path_with_namespace}/-/releases/v%2F1/evidences/`;
  expect(filepath).toStartWith(base);
  const file = await fetch(filepath, { headers: { "PRIVATE-TOKEN": rootToken } });
  expect([file.status, await file.text()]).toEqual([200, evidence.text]);
});

test("a release that lies back has none, and one that lies ahead gets it at its time", async () => {
  const back = await create({ tag_name: "back", released_at: "2001-01-01T00:00:00Z" });
  const hour = 3_600_000;
  const inHours = (hours: number) => new Date(world.clock.now() + hours * hour).toISOString();
  const ahead = await create({ tag_name: "ahead", released_at: inHours(2) });
  expect([back.evidences, ahead.evidences]).toEqual([[], []]);
  expect((await send("GET", `${one("back")}/evidence`)).status).toBe(404);
  const countOf = async (tag: string) => (await send("GET", one(tag))).body.evidences.length;
  await send("PUT", one("ahead"), undefined, { released_at: inHours(5) });
  world.clock.advance(3 * hour);
  await world.jobsDone();
  expect(await countOf("ahead")).toBe(0);
  world.clock.advance(2 * hour);
  await world.jobsDone();
  expect([await countOf("ahead"), await countOf("back")]).toEqual([1, 0]);
});

test("developers collect more evidences, in premium and up", async () => {
  const [dev, reporter] = [await world.user(), await world.user()];
  addMember(world, project, dev, "developer", "project");
  addMember(world, project, reporter, "reporter", "project");
  const evidence = `${one("more")}/evidence`;
  expect((await send("POST", evidence, dev.token)).status).toBe(404);
  await create({ tag_name: "more" });
  expect((await send("POST", evidence, reporter.token)).status).toBe(403);
  const collected = await send("POST", evidence, dev.token);
  expect([collected.status, collected.body]).toEqual([200, 200]);
  await send("PUT", one("more"), undefined, { description: "New" });
  await send("POST", evidence, dev.token);
  const { evidences } = (await send("GET", one("more"))).body;
  expect(new Set(evidences.map(({ sha }: Json) => sha)).size).toBe(2);
  expect((await send("GET", evidence)).body.release.description).toBe("New");
  const first = /(\d+)\.json$/.exec(evidences[0].filepath)?.[1];
  expect((await send("GET", `${evidence}?evidence_id=${first}`)).body.release.description).toBe(null);
  for (let count = evidences.length; count < 100; count += 1) await send("POST", evidence, dev.token);
  const refused = await send("POST", evidence, dev.token);
  expect([refused.status, refused.body]).toEqual([400, { message: "Release has too many evidences (maximum is 100)" }]);
  await send("DELETE", one("more"));
  await send("DELETE", one("v/1"));
  await send("DELETE", one("ahead"));
  expect(world.store.of(releaseEvidences).size).toBe(0);
});

test("guests, and those who read no milestones, do not read evidences", async () => {
  const other = await makeReleases(world, { visibility: "public" });
  await other.send("POST", other.at, undefined, { tag_name: "v1", ref: "main" });
  const evidence = `${other.one("v1")}/evidence`;
  expect((await world.call("GET", evidence)).status).toBe(200);
  const hidden = { issues_access_level: "private", merge_requests_access_level: "private" };
  await send("PUT", `/projects/${other.project.id}`, undefined, hidden);
  expect((await world.call("GET", evidence)).status).toBe(403);
  await send("PUT", `/projects/${other.project.id}`, undefined, { repository_access_level: "private" });
  expect((await world.call("GET", evidence)).status).toBe(403);
});
