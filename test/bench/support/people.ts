import type { UserRecord } from "../../../src/modules/users/index.ts";

const firstNames = "Mara Jonas Ines Aiko Lena Piotr Zoe Tomas Noor Elif Kofi Anders Greta Hugo Yara Milan".split(" ");
const lastNames = "Quist Behr Okafor Sato Vogt Nowak Laurent Rivera Hassan Demir Mensah Lund Weiss Moreau".split(" ");

/** A user as it is stored, different for each id: names in no order of the ids, a few blocked, external, administrators. */
export function personOf(id: number): UserRecord {
  const mixed = (id * 7919) % 1_000_003;
  const name = `${firstNames[mixed % 16]} ${lastNames[(mixed >> 4) % 14]} ${mixed.toString(36)}`;
  const time = new Date(Date.UTC(2020, 0, 1) + id * 60_000).toISOString();
  return {
    id,
    username: `person${mixed}`,
    name,
    email: `person${mixed}@example.test`,
    state: mixed % 50 === 0 ? "blocked" : "active",
    user_type: "human",
    namespace_id: id,
    created_by_id: 1,
    created_at: time,
    updated_at: time,
    confirmed_at: null,
    last_activity_on: null,
    current_sign_in_at: null,
    last_sign_in_at: null,
    sign_in_count: 0,
    password_digest: null,
    password_expires_at: null,
    is_admin: mixed % 1000 === 0,
    is_auditor: false,
    external: mixed % 20 === 0,
    private_profile: false,
    can_create_group: true,
    projects_limit: 100_000,
    two_factor_enabled: false,
    bio: "",
    location: null,
    organization: null,
    pronouns: null,
    public_email: null,
    commit_email: null,
    skype: "",
    linkedin: "",
    twitter: "",
    discord: "",
    website_url: "",
    job_title: "",
    note: null,
    theme_id: 1,
    color_scheme_id: 1,
    preferred_language: "en",
    view_diffs_file_by_file: false,
    shared_runners_minutes_limit: null,
    extra_shared_runners_minutes_limit: null,
    provisioned_by_group_id: null,
    identities: [],
  };
}
