import { pictureFile } from "../../../support/browser/pictures.ts";
import { placesOf } from "../../../support/fixtures/places.ts";
import { rootToken } from "../../../support/fixtures/world.ts";
import { at, type Place, type Samples, type Scene } from "../scene.ts";

export function groupSamples({ world, fresh, places, testers }: Scene): Samples {
  const made = placesOf(world);
  /** A group like the place's, with the same members, that may be moved or deleted. */
  const copyOf = ({ visibility }: Place) => {
    const group = made.group({ visibility });
    for (const { person, level, isAdministrator } of testers) {
      if (level > 0 && !isAdministrator) made.member(group, person.id, level);
    }
    return group.id;
  };
  return {
    "GET /groups": at("/groups", { query: { all_available: true } }),
    "GET /namespaces": at("/namespaces"),
    "GET /namespaces/:id": ({ username }) => ({ path: `/namespaces/${username}` }),
    "GET /namespaces/:path/exists": at("/namespaces/root/exists"),
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
    "GET /groups/:id/transfer_locations": (_, { groupId }) => ({ path: `/groups/${groupId}/transfer_locations` }),
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
