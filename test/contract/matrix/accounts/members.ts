import { accessLevels } from "../../../../src/domain/access-level.ts";
import { holderKey, type SourceRef } from "../../../../src/domain/source.ts";
import { accessRequests } from "../../../../src/modules/members/access-requests/records.ts";
import {
  groupRef,
  projectRef,
  putGroup,
  putLink,
  putMember,
  putProject,
  putRequest,
} from "../../../support/fixtures/places.ts";
import type { Person } from "../../../support/fixtures/world.ts";
import {
  at,
  type MakeSample,
  type Place,
  type Samples,
  type Scene,
  type SpecialSample,
  type Tester,
} from "../scene.ts";

interface Kind {
  readonly path: "/groups" | "/projects";
  readonly refOf: (place: Place) => SourceRef;
}

const group: Kind = { path: "/groups", refOf: ({ groupId }) => ({ type: "group", id: groupId }) };
const project: Kind = { path: "/projects", refOf: ({ projectId }) => ({ type: "project", id: projectId }) };

/** For pages on which everybody but owners gets one and the same refusal. */
const ownersOnly =
  (refusal: number) =>
  (make: MakeSample): SpecialSample => ({
    make,
    expected: ({ level }) => (level < accessLevels.owner ? refusal : undefined),
  });

export function memberSamples(scene: Scene): Samples {
  return { ...samplesIn(scene, group), ...samplesIn(scene, project), ...groupSamples(scene), ...otherSamples(scene) };
}

/** The samples of both groups and projects. */
function samplesIn({ world, fresh }: Scene, { path, refOf }: Kind): Samples {
  const freshUser = () => world.user({ username: fresh(), email: `${fresh()}@people.example` });
  const under =
    (rest: string): MakeSample =>
    (_, place) => ({ path: `${path}/${refOf(place).id}${rest}` });
  const onMember =
    (rest: string, json?: object): MakeSample =>
    async (_, place) => {
      const { id } = await freshUser();
      putMember(world, refOf(place), id, accessLevels.guest);
      return { path: `${path}/${refOf(place).id}/members/${rest}${id}`, options: json === undefined ? {} : { json } };
    };
  const onRequest =
    (rest: string): MakeSample =>
    async (_, place) => {
      const { id } = await freshUser();
      putRequest(world, refOf(place), id);
      return { path: `${path}/${refOf(place).id}/access_requests/${id}${rest}` };
    };
  const source = `${path}/:id`;
  return {
    [`GET ${source}/members`]: under("/members"),
    [`GET ${source}/members/all`]: under("/members/all"),
    [`GET ${source}/members/:user_id`]: onMember(""),
    [`GET ${source}/members/all/:user_id`]: onMember("all/"),
    [`POST ${source}/members`]: async (_, place) => ({
      path: `${path}/${refOf(place).id}/members`,
      options: { json: { user_id: (await freshUser()).id, access_level: 10 } },
    }),
    [`PUT ${source}/members/:user_id`]: onMember("", { access_level: 20 }),
    [`DELETE ${source}/members/:user_id`]: onMember(""),
    [`GET ${source}/access_requests`]: under("/access_requests"),
    [`POST ${source}/access_requests`]: {
      make({ id }: Person, place: Place) {
        const earlier = world.store.of(accessRequests).by.holder.find(holderKey(refOf(place), id));
        if (earlier !== undefined) world.store.transact((tx) => tx.remove(accessRequests, earlier));
        return { path: `${path}/${refOf(place).id}/access_requests` };
      },
      expected: ({ level, isAdministrator }: Tester) => (level > 0 && !isAdministrator ? 403 : 201),
    },
    [`PUT ${source}/access_requests/:user_id/approve`]: onRequest("/approve"),
    [`DELETE ${source}/access_requests/:user_id`]: onRequest(""),
  };
}

function groupSamples({ world, fresh, testers }: Scene): Samples {
  const under =
    (rest: string): MakeSample =>
    (_, { groupId }) => ({ path: `/groups/${groupId}${rest}` });
  const freshMember = async (groupId: number, state: "active" | "awaiting" = "active") => {
    const { id } = await world.user({ username: fresh(), email: `${fresh()}@people.example` });
    return putMember(world, { type: "group", id: groupId }, id, accessLevels.developer, { state });
  };
  const developer = testers.find(({ name }) => name === "developer")?.person.id;
  const isNotFound = ownersOnly(404);
  const isBad = ownersOnly(400);
  const awaited =
    (pathOf: (rowId: number) => string): MakeSample =>
    async (_, { groupId }) => ({ path: `/groups/${groupId}${pathOf((await freshMember(groupId, "awaiting")).id)}` });
  return {
    "POST /groups/:id/share": isNotFound((_, { groupId }) => ({
      path: `/groups/${groupId}/share`,
      options: { json: { group_id: putGroup(world, { visibility: "public" }).id, group_access: 30 } },
    })),
    // Others get the same answer, and the share stays.
    "DELETE /groups/:id/share/:group_id": {
      make(_, { groupId }) {
        const { id } = putGroup(world, { visibility: "public" });
        putLink(world, { type: "group", id: groupId }, id, 10);
        return { path: `/groups/${groupId}/share/${id}` };
      },
      expected: () => 204,
    },
    "GET /groups/:id/invited_groups": under("/invited_groups"),
    "GET /groups/:id/groups/shared": under("/groups/shared"),
    "GET /groups/:id/billable_members": isBad(under("/billable_members")),
    "GET /groups/:id/billable_members/:user_id/memberships": isBad(under(`/billable_members/${developer}/memberships`)),
    "GET /groups/:id/billable_members/:user_id/indirect": isBad(under(`/billable_members/${developer}/indirect`)),
    "DELETE /groups/:id/billable_members/:user_id": isBad(async (_, { groupId }) => ({
      path: `/groups/${groupId}/billable_members/${(await freshMember(groupId)).user_id}`,
    })),
    "PUT /groups/:id/members/:user_id/state": async (caller) => {
      const own = putGroup(world);
      putMember(world, groupRef(own), caller.id, accessLevels.owner);
      const { user_id } = await freshMember(own.id);
      return { path: `/groups/${own.id}/members/${user_id}/state`, options: { json: { state: "awaiting" } } };
    },
    "GET /groups/:id/pending_members": isBad(under("/pending_members")),
    "PUT /groups/:id/members/:member_id/approve": isBad(awaited((id) => `/members/${id}/approve`)),
    "POST /groups/:id/members/approve_all": isBad(awaited(() => "/members/approve_all")),
    "PUT /groups/:id/members/approve_all": isBad(awaited(() => "/members/approve_all")),
  };
}

function otherSamples({ world, ann }: Scene): Samples {
  return {
    "POST /projects/:id/share": (_, { projectId }) => ({
      path: `/projects/${projectId}/share`,
      options: { json: { group_id: putGroup(world, { visibility: "public" }).id, group_access: 30 } },
    }),
    "DELETE /projects/:id/share/:group_id": (_, { projectId }) => {
      const { id } = putGroup(world, { visibility: "public" });
      putLink(world, { type: "project", id: projectId }, id, 10);
      return { path: `/projects/${projectId}/share/${id}` };
    },
    "POST /projects/:id/import_project_members/:project_id": (_, { projectId, groupId, visibility }) => {
      const from = putProject(world, groupId, { visibility });
      putMember(world, projectRef(from), ann.id, accessLevels.guest);
      return { path: `/projects/${projectId}/import_project_members/${from.id}` };
    },
    "GET /users/:id/memberships": at(`/users/${ann.id}/memberships`),
  };
}
