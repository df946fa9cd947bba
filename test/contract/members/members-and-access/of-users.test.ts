import { expect, test } from "bun:test";
import {
  groupRef,
  projectRef,
  putGroup,
  putLink,
  putMember,
  putProject,
  putRequest,
} from "../../../support/fixtures/places.ts";
import { rootToken, startWorld } from "../../../support/fixtures/world.ts";

const world = await startWorld();
const user = await world.user();
const group = putGroup(world, { name: "Core", path: "core" });
const project = putProject(world, group.id, { name: "API", path: "api" });
putMember(world, groupRef(group), user.id, 30);
putMember(world, projectRef(project), user.id, 40);
putMember(world, groupRef(putGroup(world)), user.id, 50, { expires_at: world.clock.day() });
putMember(world, groupRef(putGroup(world)), user.id, 50, { state: "awaiting" });

const inCore = { source_id: group.id, source_name: "Core", source_type: "Namespace", access_level: 30 };
const inApi = { source_id: project.id, source_name: "API", source_type: "Project", access_level: 40 };
const list = (query = "", path = `/users/${user.id}/memberships`) => world.get(path, { query });

test("the memberships of a user are the direct ones that have not expired", async () => {
  const { body, headers } = await list();
  expect(body.slice(0, 2)).toEqual([inCore, inApi]);
  expect([body.length, headers.get("x-total")]).toEqual([3, "3"]);
  expect((await list("type=Project")).body).toEqual([inApi]);
  expect((await list("type=Namespace&per_page=1")).body).toEqual([inCore]);
  const wrong = await list("type=Group");
  expect([wrong.status, wrong.body.error]).toEqual([400, "type does not have a valid value"]);
});

test("memberships in groups and projects being deleted are left out", async () => {
  const leaver = await world.user();
  const going = putGroup(world, { is_being_deleted: true });
  putMember(world, groupRef(going), leaver.id, 50);
  putMember(world, projectRef(putProject(world, going.id)), leaver.id, 40);
  const { body, headers } = await list("", `/users/${leaver.id}/memberships`);
  expect([body, headers.get("x-total")]).toEqual([[], "0"]);
});

test("they are for administrators", async () => {
  const { status, body } = await world.call("GET", `/users/${user.id}/memberships`, { token: user.token });
  expect([status, body]).toEqual([403, { message: "403 Forbidden" }]);
  expect((await world.call("GET", `/users/${user.id}/memberships`)).status).toBe(401);
  expect((await list("", "/users/987654/memberships")).body).toEqual({ message: "404 User Not Found" });
});

test("administrators see the highest role of a user", async () => {
  expect((await world.get(`/users/${user.id}`)).body.highest_role).toBe(40);
  expect((await world.get("/users/1")).body.highest_role).toBe(0);
});

test("administrators find users without any project: neither their own, nor through a membership", async () => {
  const without = async () => {
    const { body } = await world.get("/users", { query: { without_projects: true, per_page: 100, sort: "asc" } });
    return body.map(({ id }: { id: number }) => id);
  };
  const [loner, holder, member, invited] = [
    await world.user(),
    await world.user(),
    await world.user(),
    await world.user(),
  ];
  const away = [loner, holder, member, invited].map(({ id }) => id);
  const empty = putGroup(world);
  putMember(world, groupRef(empty), member.id, 10);
  const crew = putGroup(world);
  putMember(world, groupRef(crew), invited.id, 20);
  expect(await without()).toEqual([1, ...away]);
  const own = putProject(world, holder.record.namespace_id);
  expect(await without()).toEqual([1, loner.id, member.id, invited.id]);
  putProject(world, putGroup(world, { parent_id: empty.id }).id);
  expect(await without()).toEqual([1, loner.id, invited.id]);
  putLink(world, projectRef(own), crew.id, 10);
  expect(await without()).toEqual([1, loner.id]);
  await world.call("DELETE", `/projects/${own.id}/share/${crew.id}`, { token: rootToken });
  await world.call("DELETE", `/groups/${empty.id}/members/${member.id}`, { token: rootToken });
  expect(await without()).toEqual([1, loner.id, member.id, invited.id]);
  const plain = await world.call("GET", "/users", { token: user.token, query: { without_projects: true } });
  expect(plain.body.length).toBeGreaterThan(4);
});

test("memberships and access requests are deleted with their user", async () => {
  const leaver = await world.user();
  const source = groupRef(putGroup(world));
  putMember(world, source, leaver.id, 30);
  putRequest(world, projectRef(project), leaver.id);
  expect((await world.call("DELETE", `/users/${leaver.id}`, { token: rootToken })).status).toBe(204);
  expect((await world.get(`/groups/${source.id}/members`)).body).toEqual([]);
  expect((await world.get(`/projects/${project.id}/access_requests`)).body).toEqual([]);
});

test("the sole owner of a group is not deleted softly", async () => {
  const owner = await world.user();
  const own = groupRef(putGroup(world));
  putMember(world, own, owner.id, 50);
  const remove = () => world.call("DELETE", `/users/${owner.id}`, { token: rootToken });
  const { status, body } = await remove();
  expect([status, body]).toEqual([409, { message: "User cannot be removed while is the sole-owner of a group" }]);
  putMember(world, own, user.id, 50);
  expect((await remove()).status).toBe(204);
});
