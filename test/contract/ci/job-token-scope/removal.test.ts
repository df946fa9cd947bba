import { expect, test } from "bun:test";
import { jobTokenLinks } from "../../../../src/modules/ci/job-token-scope/records.ts";
import { putGroupLink, putProjectLink } from "../../../support/ci/job-token-links.ts";
import { placesOf } from "../../../support/fixtures/places.ts";
import { rootToken, startWorld } from "../../../support/fixtures/world.ts";
import { openShop } from "./setting.ts";

const world = await startWorld();
const { group, project } = placesOf(world);
const remove = (path: string) => world.call("DELETE", path, { token: rootToken });
const linkCount = () => world.store.of(jobTokenLinks).size;

test("a deleted target leaves the lists at once, and its links are removed", async () => {
  const { source, call } = await openShop(world);
  const [home, kept] = [group(), group()];
  const [target, other] = [project(home.id), project(kept.id)];
  for (const each of [target, other]) putProjectLink(world, source, each);
  for (const each of [home, kept]) putGroupLink(world, source, each);
  expect((await remove(`/groups/${home.id}`)).status).toBe(202);
  expect((await call("GET", "/allowlist")).body).toHaveLength(2);
  expect((await call("GET", "/groups_allowlist")).body).toHaveLength(1);
  await world.jobsDone();
  expect(linkCount()).toBe(2);
  expect((await remove(`/projects/${other.id}`)).status).toBe(202);
  expect((await call("GET", "/allowlist")).body).toHaveLength(1);
  await world.jobsDone();
  expect(linkCount()).toBe(1);
});

test("a deleted source takes its lists with it", async () => {
  const { source } = await openShop(world);
  const [before, others] = [linkCount(), await openShop(world)];
  putProjectLink(world, source, others.source);
  putProjectLink(world, others.source, source);
  putGroupLink(world, source, group());
  await remove(`/projects/${source.id}`);
  await world.jobsDone();
  expect(linkCount()).toBe(before);
});
