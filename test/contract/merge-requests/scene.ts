import { type AccessLevel, accessLevels } from "../../../src/domain/access-level.ts";
import { placesOf } from "../../support/fixtures/places.ts";
import { type Answer, type Json, type Person, startWorld } from "../../support/fixtures/world.ts";
import { trackerOf } from "../../support/planning/tracker.ts";

/** A public project `cars/van` with a repository, some members and a stranger, and the shortest ways to its merge requests. */
export async function mergeRequestScene() {
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
  const dora = await member("dora", accessLevels.developer);
  const reporter = await member("rita", accessLevels.reporter);
  const owner = await member("olga", accessLevels.owner);
  const stranger = await member("sid", accessLevels.none);
  const at = `/projects/${project.id}`;
  /** Commits a file to a branch, which begins at `from` when it is new. */
  const commit = async (branch: string, file: string, content = file, from?: string): Promise<string> => {
    const { status, body } = await world.call("POST", `${at}/repository/commits`, {
      token: owner.token,
      json: {
        ...{ branch, commit_message: `Add ${file}`, ...(from === undefined ? {} : { start_branch: from }) },
        actions: [{ action: "create", file_path: file, content }],
      },
    });
    if (status !== 201) throw new Error(JSON.stringify(body));
    return body.id;
  };
  await commit("main", "README.md");
  const tryToCreate = (token: string | undefined, json: object): Promise<Answer> =>
    world.call("POST", `${at}/merge_requests`, { token, json });
  let count = 0;
  return {
    ...{ world, places, tracker, group, project, dora, reporter, owner, stranger, at, commit, tryToCreate },
    /** Creates one of a new branch with one commit. */
    create: async (json: Readonly<Record<string, Json>> = {}): Promise<Json> => {
      count += 1;
      const source_branch = `change-${count}`;
      if (json.source_branch === undefined) await commit(source_branch, `${source_branch}.txt`, "new\n", "main");
      const { status, body } = await tryToCreate(dora.token, {
        ...{ source_branch, target_branch: "main", title: "Mend the roof" },
        ...json,
      });
      if (status !== 201) throw new Error(JSON.stringify(body));
      return body;
    },
    update: (token: string | undefined, iid: number, json: object): Promise<Answer> =>
      world.call("PUT", `${at}/merge_requests/${iid}`, { token, json }),
  };
}
