import { expect, test } from "bun:test";
import fc from "fast-check";
import { projects } from "../../../../../src/modules/groups-and-projects/projects/records.ts";
import {
  containerBlobs,
  containerManifests,
  containerRepositories,
  containerTags,
} from "../../../../../src/modules/registries/container-registry/records.ts";
import { digestOf, indexType, makeImage } from "../../../../support/ci/oci-layout.ts";
import { registryOf } from "../../../../support/ci/registry.ts";
import { placesOf } from "../../../../support/fixtures/places.ts";
import { startWorld } from "../../../../support/fixtures/world.ts";

const world = await startWorld();
const { group, project } = placesOf(world);
const bank = group({ path: "bank" });
const registry = registryOf(world);

test("a blob is the same after any division into pieces", async () => {
  project(bank.id, { path: "pieces" });
  const cuts = fc.array(fc.uint8Array({ minLength: 1, maxLength: 2_000 }), { maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(cuts, fc.uint8Array({ maxLength: 500 }), async (pieces, last) => {
      const whole = new Uint8Array(Buffer.concat([...pieces, last]));
      const upload = await registry.begin("bank/pieces");
      let size = 0;
      for (const piece of pieces) {
        const headers = { "Content-Range": `${size}-${size + piece.length - 1}` };
        const { status } = await registry.call("PATCH", upload, { raw: new Uint8Array(piece), headers });
        expect(status).toBe(202);
        size += piece.length;
      }
      const digest = digestOf(whole);
      const { status } = await registry.call("PUT", `${upload}?digest=${digest}`, { raw: new Uint8Array(last) });
      expect(status).toBe(201);
      const head = await registry.call("HEAD", `bank/pieces/blobs/${digest}`);
      expect(head.headers.get("content-length")).toBe(String(whole.byteLength));
    }),
    { numRuns: 25 },
  );
});

const images = [makeImage(["one"]), makeImage(["one", "two"]), makeImage(["three"])];
const tags = ["a", "b", "c"];
const step = fc.oneof(
  fc.record({ act: fc.constant("push" as const), image: fc.nat(2), tag: fc.constantFrom(...tags) }),
  fc.record({ act: fc.constant("by digest" as const), image: fc.nat(2) }),
  fc.record({ act: fc.constant("index" as const), members: fc.uniqueArray(fc.nat(2)), tag: fc.constantFrom(...tags) }),
  fc.record({ act: fc.constant("delete tag" as const), tag: fc.constantFrom(...tags) }),
  fc.record({ act: fc.constant("delete image" as const), image: fc.nat(2) }),
  fc.record({ act: fc.constant("wait" as const) }),
);

test("the references of an image stay right after any pushes and deletions, and no referenced blob is deleted", async () => {
  let count = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      count += 1;
      const { id } = project(bank.id, { path: `counted${count}` });
      const name = `bank/counted${count}`;
      for (const each of steps) await perform(name, each);
      check(id);
    }),
    { numRuns: 25 },
  );
});

type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

async function perform(name: string, each: Step): Promise<void> {
  switch (each.act) {
    case "push":
      await registry.push(name, each.tag, images[each.image]);
      return;
    case "by digest":
      await registry.push(name, images[each.image]?.manifest.digest ?? "", images[each.image]);
      return;
    case "index": {
      const manifests = each.members.map((member) => images[member]?.manifest);
      await registry.pushManifest(name, each.tag, JSON.stringify({ mediaType: indexType, manifests }), indexType);
      return;
    }
    case "delete tag":
      await registry.call("DELETE", `${name}/manifests/${each.tag}`);
      return;
    case "delete image":
      await registry.call("DELETE", `${name}/manifests/${images[each.image]?.manifest.digest}`);
      return;
    case "wait":
      await world.clock.advance(26 * 60 * 60_000);
      await world.jobsDone();
  }
}

/** Counts everything anew, and compares. */
function check(projectId: number): void {
  const { store } = world;
  const all = <T>(of: { get(id: number): T | undefined }, ids: Iterable<number>): T[] =>
    [...ids].flatMap((id) => of.get(id) ?? []);
  const [manifestsOf, blobsOf, tagsOf] = [
    store.of(containerManifests),
    store.of(containerBlobs),
    store.of(containerTags),
  ];
  const manifests = all(manifestsOf, manifestsOf.by.project_id.find(projectId));
  const blobs = all(blobsOf, blobsOf.by.project_id.find(projectId));
  const names = all(tagsOf, tagsOf.by.project_id.find(projectId));
  expect(store.of(containerRepositories).by.project_id.find(projectId).size).toBeLessThanOrEqual(1);
  for (const { digest, reference_count, idle_since } of manifests) {
    const inIndexes = manifests.filter((each) => each.manifests.includes(digest)).length;
    expect(reference_count).toBe(inIndexes + names.filter((tag) => tag.digest === digest).length);
    if (reference_count > 0) expect(idle_since).toBeNull();
  }
  for (const { digest, reference_count, idle_since } of blobs) {
    expect(reference_count).toBe(manifests.filter((each) => each.blobs.includes(digest)).length);
    expect(idle_since === null).toBe(reference_count > 0);
  }
  for (const tag of names) expect(manifests.some(({ digest }) => digest === tag.digest)).toBe(true);
  for (const each of manifests) {
    for (const digest of each.blobs) expect(blobs.some((blob) => blob.digest === digest)).toBe(true);
  }
  const stored = [...manifests, ...blobs].reduce((sum, { size }) => sum + size, 0);
  const project = store.of(projects).get(projectId);
  expect(project?.statistics?.container_registry_size ?? 0).toBe(stored);
}
