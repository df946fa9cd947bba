import { accessLevels } from "../../../src/domain/access-level.ts";
import type { Operation } from "../../../src/modules/kernel/operation.ts";
import { operations } from "../../support/checks/operations.ts";
import { makeRunner } from "../../support/ci/runner.ts";
import { putAlert } from "../../support/fixtures/alerts.ts";
import {
  groupRef,
  projectRef,
  putGroup,
  putLink,
  putMember,
  putProject,
  putRequest,
} from "../../support/fixtures/places.ts";
import type { Answer, CallOptions } from "../../support/fixtures/world.ts";
import { sessionOf } from "./accounts/sessions.ts";
import { sampleOf } from "./samples.ts";
import type { Sample, Samples, Scene } from "./scene.ts";

/** A list with something in it, where anything can be put into it, ready to be asked for again and again. */
export interface FilledList extends Sample {
  readonly operation: Operation;
  /** One request of the list; `query` goes behind the sample's own, and `other` says what is to be otherwise. */
  ask(token: string | undefined, query?: string, other?: Other): Promise<Answer>;
}

interface Other {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Every operation that answers a page. */
export const lists = operations.filter(({ answer }) => answer.kind === "page");

const filling = 3;

/** Inserts records for lists of groups and projects that no operation of the same path creates. */
export async function furnish({ world, ann, boss, testers, places }: Scene): Promise<void> {
  const { groupId, projectId } = places.public;
  const group = { type: "group", id: groupId } as const;
  const project = { type: "project", id: projectId } as const;
  for (let count = 0; count < filling; count += 1) {
    putGroup(world, { parent_id: groupId, visibility: count === 0 ? "private" : "public" });
    putAlert(world, projectId);
    sessionOf(world, boss.id);
    await makeRunner(world, { paused: true });
    const ofBoss = putGroup(world);
    putMember(world, groupRef(ofBoss), boss.id, accessLevels.owner);
    await makeRunner(world, { runner_type: "group_type", group_id: ofBoss.id, paused: true });
    putProject(world, groupId, { visibility: count === 0 ? "private" : "public" });
    const other = putGroup(world, { visibility: "public" });
    for (const source of [group, project]) {
      putLink(world, source, other.id, accessLevels.guest);
      putRequest(world, source, (await world.user()).id);
    }
    putLink(world, { type: "group", id: other.id }, groupId, accessLevels.guest);
    putLink(world, projectRef(putProject(world, other.id, { visibility: "public" })), groupId, accessLevels.guest);
    putMember(world, groupRef(other), ann.id, accessLevels.developer);
    putMember(world, group, (await world.user()).id, accessLevels.developer, { state: "awaiting" });
    const own = await world.call("POST", "/projects", { token: ann.token, json: { path: `own${count}` } });
    if (own.status !== 201) throw new Error(own.text);
    const { token, id } = testers[count]?.person ?? ann;
    const starred = count === 0 ? projectId : putProject(world, groupId, { visibility: "public" }).id;
    for (const [path, json, by] of [
      [`/projects/${starred}/star`, {}, ann.token],
      [`/projects/${projectId}/star`, {}, token],
      [`/projects/${starred}/issues`, { title: "a contribution" }, ann.token],
    ] as const) {
      const made = await world.call("POST", path, { token: by, json });
      if (made.status !== 201) throw new Error(made.text);
    }
    await world.call("POST", `/users/${ann.id}/follow`, { token });
    await world.call("POST", `/users/${id}/follow`, { token: ann.token });
  }
}

/**
 * The list of one operation in the public place. The administrator first fills it a few times with the operation of the
 * same path.
 */
export async function fillList(scene: Scene, samples: Samples, operation: Operation): Promise<FilledList> {
  const { world, boss, places } = scene;
  const { make } = sampleOf(samples, operation);
  for (let count = 1; count < filling; count += 1) await make(boss, places.public);
  const { path, options: sampled } = await make(boss, places.public);
  // Everybody, not only the one that the anonymous may ask for.
  const options = operation.path === "/users" ? {} : sampled;
  const maker = operations.find((each) => each.method === "POST" && each.path === operation.path);
  if (maker !== undefined) {
    for (let count = 0; count < filling; count += 1) {
      const { options } = await sampleOf(samples, maker).make(boss, places.public);
      await world.call("POST", path, { ...options, token: boss.token });
    }
  }
  await fillFromElsewhere(scene, operation, path);
  return {
    operation,
    path,
    ...(options === undefined ? {} : { options }),
    ask(token, query = "", other = {}) {
      const all = [queryOf(options), query].filter((part) => part !== "").join("&");
      const headers = { ...options?.headers, ...other.headers };
      return world.call(other.method ?? operation.method, other.path ?? path, {
        ...options,
        token,
        headers,
        query: all,
      });
    },
  };
}

function queryOf({ query }: CallOptions = {}): string {
  if (typeof query === "string") return query;
  return Object.entries(query ?? {})
    .map(([name, value]) => `${name}=${value}`)
    .join("&");
}

/** Issues of a milestone and of an epic are made in a project, and reactions differ by their names. */
async function fillFromElsewhere({ world, boss, places }: Scene, { path: declared }: Operation, path: string) {
  const post = async (to: string, json: object = {}) => {
    const { status, body, text } = await world.call("POST", to, { token: boss.token, json });
    if (status !== 201) throw new Error(text);
    return body;
  };
  const issues = `/projects/${places.public.projectId}/issues`;
  for (const name of ["star", "tea", "heart"]) {
    if (declared.endsWith("/award_emoji")) await post(path, { name });
    if (declared.endsWith("/epics/:epic_iid/issues")) await post(`${path}/${(await post(issues, { title: name })).id}`);
    if (declared.endsWith("/milestones/:milestone_id/issues")) {
      await post(issues, { title: name, milestone_id: path.split("/").at(-2) });
    }
  }
}
