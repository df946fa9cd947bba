import { addMember, insertGroups } from "../../support/groups.ts";
import { pictureFile } from "../../support/pictures.ts";
import { rootToken } from "../../support/world.ts";
import { at, type Place, type Samples, type Scene } from "./scene.ts";

export function groupSamples({ world, fresh, places, testers }: Scene): Samples {
  /** A group like the place's, with the same members, that may be moved or deleted. */
  const copyOf = ({ visibility }: Place) => {
    const id = insertGroups(world, 1, fresh(), null, visibility);
    for (const { person, level, isAdministrator } of testers) {
      if (level > 0 && !isAdministrator) addMember(world, { id }, person, level);
    }
    return id;
  };
  return {
    "GET /groups": at("/groups", { query: { all_available: true } }),
    "GET /groups/:id/subgroups": (_, { groupId }) => ({ path: `/groups/${groupId}/subgroups` }),
    "GET /groups/:id/descendant_groups": (_, { groupId }) => ({ path: `/groups/${groupId}/descendant_groups` }),
    "GET /uploads/-/system/group/avatar/:id/:filename": async () => {
      const multipart = new FormData();
      multipart.set("avatar", pictureFile("png", "face.png"));
      const path = `/groups/${places.public.groupId}`;
      const { body } = await world.call("PUT", path, { token: rootToken, multipart });
      return { path: new URL(body.avatar_url).pathname };
    },
    "PUT /groups/:id": (_, { groupId }) => ({
      path: `/groups/${groupId}`,
      options: { json: { description: fresh() } },
    }),
    "DELETE /groups/:id": (_, place) => ({ path: `/groups/${copyOf(place)}` }),
    "POST /groups/:id/transfer": (_, place) => ({
      path: `/groups/${copyOf(place)}/transfer`,
      options: { json: { group_id: place.groupId } },
    }),
    "POST /groups": () => {
      const path = fresh();
      return { path: "/groups", options: { json: { name: path, path } } };
    },
    "GET /groups/:id": (_, { groupId }) => ({ path: `/groups/${groupId}` }),
  };
}
