import { dayMs } from "../../../src/lib/datetime.ts";
import { type SeedReport, seededRandomness, seedOrganisation } from "../../../src/seed/index.ts";
import { startWorld, type World } from "../../support/fixtures/world.ts";

/** A world with an organisation of one scale, until the day that its clock shows. */
export async function seededWorld(
  settings: { readonly seed?: number; readonly scale?: number } = {},
): Promise<{ readonly world: World; readonly report: SeedReport; readonly until: number }> {
  const { seed = 1, scale = 1 } = settings;
  const storages = ["default", "cold"].map((name) => ({ name, folder: undefined }));
  const world = await startWorld({ repositoryStorages: storages });
  await world.rootPasswordStored();
  const until = Math.floor(world.clock.now() / dayMs) * dayMs;
  const context = { ...world.context, randomness: seededRandomness(seed) };
  const report = await seedOrganisation(context, { seed, scale, until }, () => undefined);
  return { world, report, until };
}

/** Of what a path leads to, or of the first in its list. */
export async function idOf(world: World, path: string): Promise<number> {
  const { body } = await world.get(path);
  return Array.isArray(body) ? body[0].id : body.id;
}
