import { projects } from "../../../../src/modules/groups-and-projects/projects/records.ts";
import { pictureFile } from "../../../support/browser/pictures.ts";
import { rootToken } from "../../../support/fixtures/world.ts";
import type { Place, Samples, Scene } from "../scene.ts";

/** Another project like that of the place, straight in the store. */
function makeProject({ world: { store }, fresh }: Scene, place: Place) {
  const like = store.of(projects).get(place.projectId);
  if (like === undefined) throw new Error("the place has no project");
  const path = fresh();
  return store.transact((tx) => tx.insert(projects, { ...like, id: tx.nextId("projects"), name: path, path }));
}

export function projectSamples(scene: Scene): Samples {
  const { ann, fresh } = scene;
  return {
    "POST /projects": () => ({ path: "/projects", options: { json: { name: fresh() } } }),
    "POST /projects/user/:user_id": () => ({
      path: `/projects/user/${ann.id}`,
      options: { json: { name: fresh() } },
    }),
    "GET /projects": () => ({ path: "/projects" }),
    "GET /users/:user_id/projects": () => ({ path: `/users/${ann.id}/projects` }),
    "PUT /projects/:id": (_, { projectId }) => ({
      path: `/projects/${projectId}`,
      options: { json: { description: fresh() } },
    }),
    "PUT /projects/:id/transfer": (caller, place) => ({
      path: `/projects/${makeProject(scene, place).id}/transfer`,
      options: { json: { namespace: caller.username } },
    }),
    "POST /projects/:id/archive": (_, place) => ({ path: `/projects/${makeProject(scene, place).id}/archive` }),
    "POST /projects/:id/unarchive": (_, place) => ({ path: `/projects/${makeProject(scene, place).id}/unarchive` }),
    "POST /projects/:id/star": (_, place) => ({ path: `/projects/${makeProject(scene, place).id}/star` }),
    "POST /projects/:id/unstar": async (caller, place) => {
      const { id } = makeProject(scene, place);
      await scene.world.call("POST", `/projects/${id}/star`, { token: caller.token });
      return { path: `/projects/${id}/unstar` };
    },
    "DELETE /projects/:id": (_, place) => ({ path: `/projects/${makeProject(scene, place).id}` }),
    "GET /projects/:id/users": (_, { projectId }) => ({ path: `/projects/${projectId}/users` }),
    "GET /projects/:id/groups": (_, { projectId }) => ({ path: `/projects/${projectId}/groups` }),
    "GET /projects/:id/invited_groups": (_, { projectId }) => ({ path: `/projects/${projectId}/invited_groups` }),
    "GET /projects/:id/starrers": (_, { projectId }) => ({ path: `/projects/${projectId}/starrers` }),
    "GET /projects/:id/transfer_locations": (_, { projectId }) => ({
      path: `/projects/${projectId}/transfer_locations`,
    }),
    "GET /projects/:id/share_locations": (_, { projectId }) => ({ path: `/projects/${projectId}/share_locations` }),
    "GET /users/:user_id/starred_projects": () => ({ path: `/users/${ann.id}/starred_projects` }),
    "GET /users/:user_id/contributed_projects": () => ({ path: `/users/${ann.id}/contributed_projects` }),
    "GET /projects/:id/storage": {
      make: (_, { projectId }) => ({ path: `/projects/${projectId}/storage` }),
      expected: ({ isAdministrator }) => (isAdministrator ? 200 : 403),
    },
    "GET /groups/:id/projects": (_, { groupId }) => ({ path: `/groups/${groupId}/projects` }),
    "GET /groups/:id/projects/shared": (_, { groupId }) => ({ path: `/groups/${groupId}/projects/shared` }),
    "POST /groups/:id/projects/:project_id": {
      make: async (_, { groupId }) => {
        const json = { path: fresh() };
        const { body } = await scene.world.call("POST", "/projects", { token: rootToken, json });
        return { path: `/groups/${groupId}/projects/${body.id}` };
      },
      expected: ({ isAdministrator }) => (isAdministrator ? 201 : 403),
    },
    "GET /uploads/-/system/project/avatar/:id/:filename": async () => {
      const multipart = new FormData();
      multipart.set("avatar", pictureFile("png", "face.png"));
      multipart.set("path", fresh());
      multipart.set("visibility", "public");
      const { body } = await scene.world.call("POST", "/projects", { token: rootToken, multipart });
      return { path: new URL(body.avatar_url).pathname };
    },
    "GET /projects/:id": (_, { projectId }) => ({ path: `/projects/${projectId}` }),
  };
}
