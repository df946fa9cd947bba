import { expect, test } from "bun:test";
import fc from "fast-check";
import { accessLevels } from "../../../../src/domain/access-level.ts";
import { jobTokenLinks } from "../../../../src/modules/ci/job-token-scope/records.ts";
import { type ProjectRecord, projects } from "../../../../src/modules/groups-and-projects/projects/records.ts";
import { putGroupLink, putProjectLink } from "../../../support/ci/job-token-links.ts";
import { putRunningJob } from "../../../support/ci/running-job.ts";
import { placesOf } from "../../../support/fixtures/places.ts";
import { startWorld } from "../../../support/fixtures/world.ts";

const world = await startWorld();
const { group, project, member } = placesOf(world);
const ines = await world.user({ username: "ines" });

/** A tree: each group's parent is one made before it, or none; each project is in one of the groups. */
const groupCount = 6;
const projectCount = 4;
const index = (count: number) => fc.nat({ max: count - 1 });

const treeOf = fc.record({
  parents: fc.tuple(...Array.from({ length: groupCount }, (_, at) => fc.option(index(Math.max(1, at))))),
  homes: fc.array(index(groupCount), { minLength: projectCount, maxLength: projectCount }),
});
const placeOf = fc.record({
  visibility: fc.constantFrom("private" as const, "private" as const, "internal" as const, "public" as const),
  isLimited: fc.boolean(),
  repository: fc.constantFrom("enabled" as const, "enabled" as const, "private" as const),
  isMember: fc.boolean(),
  listedProjects: fc.array(index(projectCount), { maxLength: 2 }),
  listedGroups: fc.array(index(groupCount), { maxLength: 2 }),
});
const sceneOf = fc.record({
  tree: treeOf,
  places: fc.array(placeOf, { minLength: projectCount, maxLength: projectCount }),
});
type Scene = typeof sceneOf extends fc.Arbitrary<infer S> ? S : never;

/** The rows of the page, one after the other, over the scene itself. */
function isLetIn({ tree, places }: Scene, from: number, to: number): boolean {
  const { visibility, isLimited, repository, listedProjects, listedGroups } = places[to] as Scene["places"][0];
  if (from === to || !isLimited || listedProjects.includes(from)) return true;
  for (let at: number | null = tree.homes[from] as number; at !== null; at = parentOf(tree, at)) {
    if (listedGroups.includes(at)) return true;
  }
  return visibility !== "private" && repository === "enabled";
}

/** The first group has none, whatever was drawn for it. */
const parentOf = ({ parents }: Scene["tree"], at: number) => (at === 0 ? null : (parents[at] ?? null));

function build({ tree, places }: Scene): ProjectRecord[] {
  const groups: { id: number }[] = [];
  for (let at = 0; at < groupCount; at += 1) {
    const parent = parentOf(tree, at);
    groups.push(
      group({ visibility: "public", ...(parent === null ? {} : { parent_id: groups[parent]?.id as number }) }),
    );
  }
  const made = places.map(({ visibility, isLimited, repository, isMember }, at) => {
    const settings = { inbound_job_token_scope_enabled: isLimited, repository_access_level: repository };
    const one = project(groups[tree.homes[at] as number]?.id as number, { visibility, settings });
    if (isMember) member(one, ines.id, accessLevels.reporter);
    return one;
  });
  for (const [at, { listedProjects, listedGroups }] of places.entries()) {
    const source = made[at] as ProjectRecord;
    for (const target of new Set(listedProjects))
      if (target !== at) putProjectLink(world, source, made[target] as ProjectRecord);
    for (const target of new Set(listedGroups)) putGroupLink(world, source, groups[target] as { id: number });
  }
  return made;
}

const unreadable = "You are not allowed to download code from this project.";
const hidden = "The project you were looking for could not be found or you don't have permission to view it.";

test("over random trees and lists, a job is allowed exactly where the page says", async () => {
  const seen = { in: 0, out: 0 };
  await fc.assert(
    fc.asyncProperty(sceneOf, async (scene) => {
      const made = build(scene);
      for (const [from, home] of made.entries()) {
        const { token } = putRunningJob(world, home.id, ines.id);
        const headers = { "JOB-TOKEN": token };
        for (const [to, target] of made.entries()) {
          const path = (await world.get(`/projects/${target.id}`)).body.path_with_namespace;
          const { status, text } = await world.call("GET", `/${path}.git/HEAD`, { headers });
          const isSeen = scene.places[to]?.isMember === true || target.visibility !== "private";
          const expected = isSeen && isLetIn(scene, from, to);
          seen[expected ? "in" : "out"] += 1;
          const mayRead =
            scene.places[to]?.isMember === true || scene.places[to]?.repository === "enabled" ? 200 : unreadable;
          const refusal = `Authentication by CI/CD job token not allowed from ${home.path} to ${target.path}.`;
          expect(status === 200 ? 200 : text.trim()).toBe(isSeen ? (expected ? mayRead : refusal) : hidden);
        }
      }
    }),
    { numRuns: 25 },
  );
  expect(Math.min(seen.in, seen.out)).toBeGreaterThan(20);
  expect(world.store.of(projects).size).toBe(25 * projectCount);
  expect(world.store.of(jobTokenLinks).size).toBeGreaterThan(25);
});
