import { expect, test } from "bun:test";
import type { TSchema } from "@sinclair/typebox";
import { accessLevels } from "../../../../../src/domain/access-level.ts";
import { mergeRequests } from "../../../../../src/modules/merge-requests/merge-requests/records.ts";
import { operations } from "../../../../support/checks/operations.ts";
import { makeRunner } from "../../../../support/ci/runner.ts";
import { groupRef, putGroup, putMember } from "../../../../support/fixtures/places.ts";
import { furnish } from "../../../matrix/lists.ts";
import { allSamples, nameOf, sampleOf } from "../../../matrix/samples.ts";
import { setScene } from "../../../matrix/scene.ts";

const scene = await setScene();
const { world, boss, places, testers } = scene;
const samples = allSamples(scene);
await furnish(scene);
const { groupId, projectId } = places.public;

const post = async (path: string, json: object) => {
  const { status, text } = await world.call("POST", path, { token: boss.token, json });
  if (status !== 201) throw new Error(text);
};
const ofBoss = putGroup(world);
putMember(world, groupRef(ofBoss), boss.id, accessLevels.owner);
for (const labels of ["alpha", "beta", "alpha,beta"]) {
  await makeRunner(world, { tag_list: labels });
  await makeRunner(world, { runner_type: "group_type", group_id: ofBoss.id, tag_list: labels });
  const assignee_ids = [testers[0]?.person.id];
  await post(`/projects/${projectId}/issues`, { title: labels, labels, assignee_ids });
  const source_branch = labels.replace(",", "-and-");
  await post(`/projects/${projectId}/repository/branches`, { branch: source_branch, ref: "main" });
  await post(`/projects/${projectId}/merge_requests`, {
    ...{ source_branch, target_branch: "main", title: labels, labels, assignee_ids },
  });
  await post(`/groups/${groupId}/epics`, { title: labels, labels });
  for (const source of [`/projects/${projectId}`, `/groups/${groupId}`]) {
    await post(`${source}/milestones`, { title: `${labels} of ${source}` });
  }
}
await world.call("PUT", `/projects/${projectId}`, { token: boss.token, json: { topics: ["alpha", "beta"] } });

const people = testers.slice(0, 2).map(({ person }) => person);
for (const { person } of testers.slice(0, 3)) {
  putMember(world, { type: "project", id: projectId }, person.id, accessLevels.developer);
}

/** Approvals of merge requests: of one both, of another the first person's. */
world.store.transact((tx) => {
  const approved_at = world.clock.time();
  for (const [at, count] of [1, 2].entries()) {
    const id = world.store.of(mergeRequests).by.source_branch.find(["alpha", "beta"][at] as string);
    const [found] = [...id].map((each) => world.store.of(mergeRequests).get(each));
    const approvals = people.slice(0, count).map(({ id: user_id }) => ({ user_id, approved_at }));
    if (found !== undefined) tx.update(mergeRequests, { ...found, approvals });
  }
});

const firstOf = async (list: string): Promise<number> => (await world.get(`/groups/${groupId}/${list}`)).body[0].id;

/** Some values for each parameter that takes several, which make a difference to what is answered. */
const values: Readonly<Record<string, readonly (string | number)[]>> = {
  skip_groups: [groupId, await firstOf("groups/shared"), await firstOf("subgroups")],
  user_ids: people.map(({ id }) => id),
  skip_users: people.map(({ id }) => id),
  iids: [1, 2],
  labels: ["alpha", "beta"],
  label_name: ["alpha", "beta"],
  assignee_username: people.map(({ username }) => username),
  approved_by_ids: people.map(({ id }) => id),
  approved_by_usernames: people.map(({ username }) => username),
  relation: ["direct", "inherited"],
  topic: ["alpha", "beta"],
  severity: ["medium", "low"],
  status: ["resolved", "ignored"],
  scope: ["running", "failed"],
  refs: ["main", "main"],
  exclude_paths: ["notes.md", "chapters"],
  tag_list: ["alpha", "beta"],
};

/** Lists for which both values together equal no filter. */
const indifferent: readonly string[] = [
  "/projects/:id/invited_groups relation",
  "/groups/:id/invited_groups relation",
  "/projects/:id/pipelines/:pipeline_id/bridges scope",
  "/projects/:id/repository/merge_base refs",
];

/** Names of the parameters that are lists, those in a hash as `not[labels]`; whether a text is split at its commas. */
function listsIn(properties: Readonly<Record<string, TSchema>>, nameIn = (name: string) => name): [string, boolean][] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    if (schema.type === "object" && schema.properties !== undefined) {
      return listsIn(schema.properties, (inner) => `${nameIn(name)}[${inner}]`);
    }
    return schema.type === "array" ? [[nameIn(name), schema.split === true] as [string, boolean]] : [];
  });
}

const last = (name: string) => name.match(/(\w+)\]?$/)?.[1] ?? name;

for (const operation of operations) {
  if (operation.method !== "GET") continue;
  for (const [name, isSplit] of listsIn(operation.params.properties)) {
    test(`${nameOf(operation)} reads ${name} the same from every part of a request`, async () => {
      const given = values[last(name)];
      if (given === undefined) throw new Error(`no values for ${name}`);
      const { path, options } = await sampleOf(samples, operation).make(boss, places.public);
      const own = new URLSearchParams((options?.query ?? {}) as Record<string, string>).toString();
      const send = async (query: string) => {
        const all = [own, "per_page=100", query].filter((part) => part !== "").join("&");
        const { status, text } = await world.call("GET", path, { token: boss.token, query: all });
        return { status, text };
      };
      const pairs = (key: string) => given.map((value) => `${key}=${value}`).join("&");
      const expected = await send(pairs(`${name}[]`));
      const ways = {
        encoded: await send(pairs(`${name}[]`.replaceAll("[", "%5B").replaceAll("]", "%5D"))),
        numbered: await send(given.map((value, at) => `${name}[${at * 7}]=${value}`).join("&")),
        ...(isSplit && {
          commas: await send(`${name}=${given.join(",")}`),
          "encoded commas": await send(`${name}=${given.join("%2C")}`),
        }),
      };
      expect(expected.status).toBe(200);
      for (const [way, answer] of Object.entries(ways)) expect({ way, ...answer }).toEqual({ way, ...expected });
      const one = await send(`${name}[]=${given[0]}`);
      expect(await send(`${name}=${given[0]}`)).toEqual(one);
      const makesNoDifference = (await send("")).text === expected.text;
      expect(makesNoDifference).toBe(indifferent.includes(`${operation.path} ${name}`));
    });
  }
}
