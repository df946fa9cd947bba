import type { AccessLevel } from "../../../src/domain/access-level.ts";
import { accessLevels } from "../../../src/domain/access-level.ts";
import type { GroupRecord } from "../../../src/modules/groups-and-projects/groups/records.ts";
import type { ProjectRecord } from "../../../src/modules/groups-and-projects/projects/records.ts";
import { placesOf } from "../fixtures/places.ts";
import { type Json, type Person, rootToken, type World } from "../fixtures/world.ts";

/** A group with a project, a member of each role, and short ways to make what people track their work with. */
export async function setTracker(world: World, visibility: "public" | "private" = "private") {
  const { group: makeGroup, project: makeProject, member } = placesOf(world);
  const group = makeGroup({ path: `tracked-${visibility}`, visibility });
  const project = makeProject(group.id, { path: "van", visibility });

  const person = async (level: AccessLevel, source: GroupRecord | ProjectRecord = group): Promise<Person> => {
    const made = await world.user();
    if (level > accessLevels.none) member(source, made.id, level);
    return made;
  };

  const made = async (path: string, json: Json, token: string): Promise<Json> => {
    const { status, body, text } = await world.call("POST", path, { token, json });
    if (status !== 201) throw new Error(`${path}: ${status} ${text}`);
    return body;
  };

  return {
    group,
    project,
    person,
    issue: (attributes: Json = {}, { token = rootToken, projectId = project.id } = {}): Promise<Json> =>
      made(`/projects/${projectId}/issues`, { title: "Wheels squeak", ...attributes }, token),
    epic: (attributes: Json = {}, { token = rootToken, groupId = group.id } = {}): Promise<Json> =>
      made(`/groups/${groupId}/epics`, { title: "Quiet wheels", ...attributes }, token),
    note: (issue: Json, attributes: Json = {}, token = rootToken): Promise<Json> =>
      made(`/projects/${issue.project_id}/issues/${issue.iid}/notes`, { body: "Oil them", ...attributes }, token),
  };
}
