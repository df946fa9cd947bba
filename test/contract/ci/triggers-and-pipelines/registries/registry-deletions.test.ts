import { expect, test } from "bun:test";
import { accessLevels } from "../../../../../src/domain/access-level.ts";
import { enqueueJob } from "../../../../../src/modules/core/background-jobs/index.ts";
import {
  containerBlobs,
  containerManifests,
  containerTags,
} from "../../../../../src/modules/registries/container-registry/records.ts";
import { registryOf } from "../../../../support/ci/registry.ts";
import { placesOf } from "../../../../support/fixtures/places.ts";
import { type Json, rootToken, startWorld } from "../../../../support/fixtures/world.ts";

const world = await startWorld();
const { group, project, member } = placesOf(world);

test("five deletions of tags of one user wait, and those of others are accepted", async () => {
  const place = project(group({ path: "bank" }).id, { path: "ledger" });
  for (const name of ["one", "two", "three"]) await registryOf(world).push(`bank/ledger/${name}`, "v1");
  const list = `/projects/${place.id}/registry/repositories`;
  const waiting = (await world.get(list)).body.map(({ id }: Json) => id);
  const [mia, max] = [await world.user(), await world.user()];
  for (const { id: userId } of [mia, max]) member(place, userId, accessLevels.maintainer);
  const due_at = world.clock.time().replace(/^\d{4}/, "2999");
  const kind = "container_tags_deletion";
  const add = () =>
    world.store.transact((tx) => enqueueJob(tx, world.context, { kind, payload: {}, user_id: mia.id, due_at }));
  const ask = (token: string) =>
    world.call("DELETE", `${list}/${waiting.shift()}/tags`, { token, query: { name_regex_delete: "none" } });
  for (let count = 0; count < 4; count += 1) add();
  expect((await ask(mia.token)).status).toBe(202);
  add();
  const refused = await ask(mia.token);
  expect([refused.status, refused.body, refused.headers.get("retry-after")]).toEqual([
    429,
    { message: "429 Too Many Requests - 5 deletions of tags that this user asked for still wait" },
    "60",
  ]);
  expect((await ask(max.token)).status).toBe(202);
});

test("the deletion of a repository removes each blob without a change of it before", async () => {
  const place = project(group({ path: "mint" }).id, { path: "coins" });
  await registryOf(world).push("mint/coins", "v1");
  const list = `/projects/${place.id}/registry/repositories`;
  const [{ id }] = (await world.get(list)).body;
  const named = world.store.of(containerBlobs).by.repository_id.find(id).size;
  const seen = { changed: 0, removed: 0 };
  world.store.watch(containerBlobs, (_before, after) => {
    seen[after === undefined ? "removed" : "changed"] += 1;
  });
  expect((await world.call("DELETE", `${list}/${id}`, { token: rootToken })).status).toBe(202);
  await world.jobsDone();
  expect(seen).toEqual({ changed: 0, removed: named });
  expect(world.store.of(containerManifests).by.repository_id.find(id).size).toBe(0);
});

test("a manifest with many tags is deleted by its digest in several transactions", async () => {
  project(group({ path: "press" }).id, { path: "prints" });
  const registry = registryOf(world);
  const { manifest } = await registry.push("press/prints", "t0");
  const { store } = world;
  const [first] = [...store.of(containerTags).by.manifest.keys()]
    .flatMap((key) => [...store.of(containerTags).by.manifest.find(key)].map((id) => store.of(containerTags).get(id)))
    .filter((tag) => manifest.digest.endsWith(tag?.digest ?? "none"));
  if (first === undefined) throw new Error("the tag is not there");
  store.transact((tx) => {
    for (let at = 1; at < 500; at += 1)
      tx.insert(containerTags, { ...first, id: tx.nextId("container_tags"), name: `t${at}` });
  });
  const before = store.statistics().durableSequence;
  expect((await registry.call("DELETE", `press/prints/manifests/${manifest.digest}`)).status).toBe(202);
  expect(store.statistics().durableSequence).toBeGreaterThan(before + 2);
  expect(store.of(containerTags).by.repository_id.find(first.repository_id).size).toBe(0);
  expect((await registry.call("GET", `press/prints/manifests/${manifest.digest}`)).status).toBe(404);
});
