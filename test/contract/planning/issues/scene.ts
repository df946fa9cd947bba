import { type AccessLevel, accessLevels } from "../../../../src/domain/access-level.ts";
import { placesOf } from "../../../support/fixtures/places.ts";
import { type Answer, type Json, type Person, startWorld } from "../../../support/fixtures/world.ts";
import { trackerOf } from "../../../support/planning/tracker.ts";

/** A public project `cars/van` with some members and a stranger, and the shortest ways to its issues. */
export async function issueScene() {
  const world = await startWorld();
  const places = placesOf(world);
  const tracker = trackerOf(world);
  const group = places.group({ path: "cars", visibility: "public" });
  const project = places.project(group.id, { path: "van", visibility: "public" });
  const member = async (username: string, level: AccessLevel): Promise<Person> => {
    const person = await world.user({ username, name: username });
    if (level > accessLevels.none) places.member(project, person.id, level);
    return person;
  };
  const mia = await member("mia", accessLevels.planner);
  const guest = await member("gus", accessLevels.guest);
  const reporter = await member("rita", accessLevels.reporter);
  const owner = await member("olga", accessLevels.owner);
  const stranger = await member("sid", accessLevels.none);
  return {
    ...{ world, places, tracker, group, project, mia, guest, reporter, owner, stranger },
    tryToCreate: (token: string | undefined, json: object, id: number | string = project.id): Promise<Answer> =>
      world.call("POST", `/projects/${id}/issues`, { token, json }),
    create: async (token: string, json: object = {}): Promise<Json> =>
      (await world.call("POST", `/projects/${project.id}/issues`, { token, json: { title: "t", ...json } })).body,
    update: (token: string | undefined, iid: number, json: object): Promise<Answer> =>
      world.call("PUT", `/projects/${project.id}/issues/${iid}`, { token, json }),
  };
}
