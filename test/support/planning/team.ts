import { type AccessLevel, accessLevels } from "../../../src/domain/access-level.ts";
import type { SourceRef } from "../../../src/domain/source.ts";
import { putMember } from "../fixtures/places.ts";
import type { Person, World } from "../fixtures/world.ts";

export type Role = Exclude<keyof typeof accessLevels, "none" | "minimal">;

/** One new person for each role, a direct member of the source. */
export async function putTeam(world: World, source: SourceRef, roles: readonly Role[]): Promise<Record<Role, Person>> {
  const team: Partial<Record<Role, Person>> = {};
  for (const role of roles) {
    const person = await world.user();
    putMember(world, source, person.id, accessLevels[role] as AccessLevel);
    team[role] = person;
  }
  return team as Record<Role, Person>;
}
