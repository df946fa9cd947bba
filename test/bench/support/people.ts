import { userDefaults } from "../../../src/modules/core/users/index.ts";
import type { UserRecord } from "../../../src/modules/core/users/records.ts";

const firstNames = "Mara Jonas Ines Aiko Lena Piotr Zoe Tomas Noor Elif Kofi Anders Greta Hugo Yara Milan".split(" ");
const lastNames = "Quist Behr Okafor Sato Vogt Nowak Laurent Rivera Hassan Demir Mensah Lund Weiss Moreau".split(" ");

/** A user as it is stored, different for each id: names in no order of the ids, something of everything that lists filter by. */
export function personOf(id: number): UserRecord {
  const mixed = (id * 7919) % 1_000_003;
  const name = `${firstNames[mixed % 16]} ${lastNames[(mixed >> 4) % 14]} ${mixed.toString(36)}`;
  const time = new Date(Date.UTC(2020, 0, 1) + id * 60_000).toISOString();
  return {
    ...userDefaults(time),
    id,
    username: `person${mixed}`,
    name,
    email: `person${mixed}@example.test`,
    state: mixed % 50 === 0 ? "blocked" : "active",
    namespace_id: id,
    created_by_id: 1,
    is_admin: mixed % 1000 === 0,
    external: mixed % 20 === 0,
    public_email: mixed % 3 === 0 ? `person${mixed}@example.test` : null,
    user_type: mixed % 25 === 0 ? "project_bot" : "human",
    two_factor_enabled: mixed % 4 === 0,
    is_auditor: mixed % 2000 === 0,
    identities: mixed % 10 === 0 ? [{ provider: "ldapmain", extern_uid: `uid${mixed}`, saml_provider_id: null }] : [],
    updated_at: new Date(Date.UTC(2024, 0, 1) + mixed * 60_000).toISOString(),
  };
}
