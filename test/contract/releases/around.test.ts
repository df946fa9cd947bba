import { expect, test } from "bun:test";
import { forbidden } from "../../../src/domain/failure.ts";
import { subscribe } from "../../../src/modules/kernel/event.ts";
import { defineModule } from "../../../src/modules/kernel/module.ts";
import { releaseEvents } from "../../../src/modules/releases/releases/index.ts";
import { releases } from "../../../src/modules/releases/releases/records.ts";
import { putRunningJob } from "../../support/ci/running-job.ts";
import { type Json, rootToken, startWorld } from "../../support/fixtures/world.ts";
import { createTempFolder } from "../../support/process/temp-folder.ts";
import { git } from "../ci/triggers-and-pipelines/setting.ts";
import { addMember } from "../groups-and-projects/setting.ts";
import { makeReleases } from "./setting.ts";

const world = await startWorld({ edition: "premium" });
const call = async (method: string, path: string, json?: object, token = rootToken) =>
  (await world.call(method, path, json === undefined ? { token } : { token, json })).body;

async function makeGroup(path: string, attributes: object = {}): Promise<Json> {
  return call("POST", "/groups", { name: path, path, ...attributes });
}

test("milestones of the project and of its own group are shown with the readable issues that they have", async () => {
  const top = await makeGroup("top", { visibility: "public" });
  const group = await makeGroup("inner", { parent_id: top.id, visibility: "public" });
  const { at, one, project } = await makeReleases(world, { namespace_id: group.id, visibility: "public" });
  const make = (path: string, title: string, due_date?: string) =>
    call("POST", `${path}/milestones`, { title, ...(due_date && { due_date }) });
  const own = await make(`/projects/${project.id}`, "later", "2030-02-01");
  const none = await make(`/projects/${project.id}`, "a, b");
  const groups = await make(`/groups/${group.id}`, "soon", "2030-01-01");
  const above = await make(`/groups/${top.id}`, "above");
  for (const confidential of [false, true]) {
    await call("POST", `/projects/${project.id}/issues`, { title: "I", milestone_id: own.id, confidential });
  }
  const closed = await call("POST", `/projects/${project.id}/issues`, { title: "I", milestone_id: own.id });
  await call("PUT", `/projects/${project.id}/issues/${closed.iid}`, { state_event: "close" });

  const made = await call("POST", at, { tag_name: "v1", ref: "main", milestones: "later,soon" });
  const statsOf = (release: Json) =>
    release.milestones.map(({ title, issue_stats }: Json) => [title, issue_stats.total, issue_stats.closed]);
  expect(statsOf(made)).toEqual([
    ["soon", 0, 0],
    ["later", 3, 1],
  ]);
  const seen = (await world.call("GET", one("v1"))).body;
  expect(statsOf(seen)).toEqual([
    ["soon", 0, 0],
    ["later", 2, 1],
  ]);
  expect(seen.milestones[0].web_url).toBe(`${world.origin}/groups/top/inner/-/milestones/1`);
  expect(await call("PUT", one("v1"), { milestones: ["above"] })).toEqual({
    message: "Milestone(s) not found: above",
  });
  expect(await call("PUT", one("v1"), { milestone_ids: [groups.id, above.id] })).toEqual({
    message: `Milestone id(s) not found: ${above.id}`,
  });
  expect(statsOf(await call("PUT", one("v1"), { milestone_ids: [none.id, groups.id] }))).toEqual([
    ["soon", 0, 0],
    ["a, b", 0, 0],
  ]);
  await call("DELETE", `/projects/${project.id}/milestones/${none.id}`);
  expect(statsOf(await call("GET", one("v1")))).toEqual([["soon", 0, 0]]);
  await call("PUT", `/projects/${project.id}`, {
    issues_access_level: "private",
    merge_requests_access_level: "private",
  });
  expect((await world.call("GET", one("v1"))).body).not.toHaveProperty("milestones");
  expect(await call("PUT", one("v1"), { milestones: [] })).not.toHaveProperty("milestones");
});

test("a milestone that becomes one of the group stays with the release", async () => {
  const group = await makeGroup("promoting");
  const projects = [
    await makeReleases(world, { namespace_id: group.id }),
    await makeReleases(world, { namespace_id: group.id }),
  ];
  const found: Json[] = [];
  for (const { project, at } of projects) {
    found.push(await call("POST", `/projects/${project.id}/milestones`, { title: "shared" }));
    await call("POST", at, { tag_name: "v1", ref: "main", milestones: ["shared"] });
  }
  await call("POST", `/projects/${projects[0]?.project.id}/milestones/${found[0].id}/promote`);
  for (const { one } of projects) {
    expect((await call("GET", one("v1"))).milestones).toMatchObject([{ title: "shared", group_id: group.id }]);
  }
});

test("a group lists the releases of its own projects that the caller sees", async () => {
  const group = await makeGroup("listing");
  const below = await makeGroup("below", { parent_id: group.id });
  const [first, second, inner] = [
    await makeReleases(world, { namespace_id: group.id }),
    await makeReleases(world, { namespace_id: group.id }),
    await makeReleases(world, { namespace_id: below.id }),
  ];
  const make = (at: string, tag_name: string, released_at: string) =>
    call("POST", at, { tag_name, ref: "main", released_at });
  await make(first.at, "a", "2024-01-01T00:00:00Z");
  await make(second.at, "b", "2024-01-02T00:00:00Z");
  await make(first.at, "c", "2024-01-03T00:00:00Z");
  await make(inner.at, "d", "2024-01-04T00:00:00Z");
  const guest = await world.user();
  addMember(world, group, guest, "guest");
  const list = `/groups/${group.id}/releases`;
  const tagsOf = (found: Json[]) => found.map(({ tag_name }) => tag_name);
  expect(tagsOf(await call("GET", list))).toEqual(["c", "b", "a"]);
  expect(tagsOf(await call("GET", `${list}?sort=asc&per_page=2`))).toEqual(["a", "b"]);
  const [newest] = await call("GET", list);
  expect([newest.commit.id, newest._links.self]).toEqual([
    first.sha,
    `${world.origin}/${first.project.path_with_namespace}/-/releases/c`,
  ]);
  const plain = ["name", "tag_name", "description", "created_at", "released_at", "upcoming_release"];
  expect(Object.keys((await call("GET", `${list}?simple=true`))[0]).sort()).toEqual(plain.sort());
  const seen = await call("GET", list, undefined, guest.token);
  expect([tagsOf(seen), seen[0].commit]).toEqual([["c", "b", "a"], undefined]);
  await call("PUT", `/projects/${second.project.id}`, { releases_access_level: "disabled" });
  expect(tagsOf(await call("GET", list))).toEqual(["c", "a"]);
});

test("a job makes a release of its project with its token", async () => {
  const { project, at, one, sha } = await makeReleases(world);
  const dev = await world.user();
  addMember(world, project, dev, "developer", "project");
  const { token } = putRunningJob(world, project.id, dev.id);
  const headers = { "JOB-TOKEN": token };
  const json = { tag_name: "v1", ref: sha, name: "By a job" };
  const made = await world.call("POST", at, { headers, json });
  expect([made.status, made.body.author.id]).toEqual([201, dev.id]);
  const link = { name: "a", url: "https://a.example" };
  expect((await world.call("POST", `${one("v1")}/assets/links`, { headers, json: link })).status).toBe(201);
  const other = await makeReleases(world, { visibility: "public" });
  expect((await world.call("GET", other.at, { headers })).status).toBe(200);
  await call("PUT", `/projects/${other.project.id}`, { releases_access_level: "private" });
  expect((await world.call("GET", other.at, { headers })).status).toBe(403);
});

test("releases stay without their author, and go with their project", async () => {
  const { project, at, one } = await makeReleases(world);
  const dev = await world.user();
  addMember(world, project, dev, "developer", "project");
  await call("POST", at, { tag_name: "v1", ref: "main" }, dev.token);
  await call("DELETE", `/users/${dev.id}`);
  await world.jobsDone();
  const { author, tag_name } = await call("GET", one("v1"));
  expect([tag_name, author]).toEqual(["v1", undefined]);
  await call("DELETE", `/projects/${project.id}`);
  const query = `permanently_remove=true&full_path=${encodeURIComponent(project.path_with_namespace)}`;
  await world.call("DELETE", `/projects/${project.id}?${query}`, { token: rootToken });
  await world.jobsDone();
  expect(world.store.of(releases).by.project_id.find(project.id).size).toBe(0);
});

test("a release goes with its tag, whether the API or git deletes that", async () => {
  const { project, at, one } = await makeReleases(world);
  for (const tag_name of ["v/1", "v2"]) await call("POST", at, { tag_name, ref: "main" });
  await call("DELETE", `/projects/${project.id}/repository/tags/v%2F1`);
  expect((await world.get(one("v/1"))).status).toBe(404);
  expect((await call("GET", at)).map((each: Json) => each.tag_name)).toEqual(["v2"]);
  const remote = `${world.origin.replace("//", `//root:${rootToken}@`)}/${project.path_with_namespace}.git`;
  const folder = await createTempFolder();
  await git(["init", "-q", folder.path]);
  await git(["-C", folder.path, "push", "-q", remote, ":refs/tags/v2"]);
  await folder.remove();
  expect(await call("GET", at)).toEqual([]);
  expect((await call("POST", at, { tag_name: "v2", ref: "main" })).tag_name).toBe("v2");
  const deleted = world.events().filter(({ event_name }) => event_name === "release_deleted_audit_event");
  expect(deleted.map(({ details }) => details.target_details)).toEqual(["v/1", "v2"]);
});

test("a release that fails leaves no tag behind", async () => {
  const refusing = defineModule({
    name: "refusing",
    on: [
      subscribe(releaseEvents.created, {
        phase: 9,
        run() {
          throw forbidden("no releases today");
        },
      }),
    ],
  });
  const other = await startWorld({}, {}, [refusing]);
  const { send, at, project } = await makeReleases(other);
  const tags = `/projects/${project.id}/repository/tags`;
  const refused = await send("POST", at, undefined, { tag_name: "v1", ref: "main", tag_message: "One" });
  expect([refused.status, refused.body]).toEqual([403, { message: "403 Forbidden - no releases today" }]);
  expect((await send("GET", tags)).body).toEqual([]);
  expect((await send("GET", at)).body).toEqual([]);
});
