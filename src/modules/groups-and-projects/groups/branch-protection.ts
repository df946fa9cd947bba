/** The default branch protection in its two forms. */

import { accessLevels } from "../../../domain/access-level.ts";
import type { GroupSettings } from "../../core/namespaces/index.ts";

interface ProtectionDefaults {
  readonly allowed_to_push: readonly { readonly access_level: number }[];
  readonly allow_force_push: boolean;
  readonly allowed_to_merge: readonly { readonly access_level: number }[];
  readonly developer_can_initial_push?: boolean;
}

const by = (access_level: number) => [{ access_level }];
const { developer, maintainer } = accessLevels;

/** The new form of each number of the old form. */
const defaultsByLevel: readonly ProtectionDefaults[] = [
  { allowed_to_push: by(developer), allow_force_push: true, allowed_to_merge: by(developer) },
  { allowed_to_push: by(developer), allow_force_push: false, allowed_to_merge: by(maintainer) },
  { allowed_to_push: by(maintainer), allow_force_push: false, allowed_to_merge: by(maintainer) },
  { allowed_to_push: by(maintainer), allow_force_push: false, allowed_to_merge: by(developer) },
  {
    allowed_to_push: by(maintainer),
    allow_force_push: false,
    allowed_to_merge: by(developer),
    developer_can_initial_push: true,
  },
];

/** Reads the protection of default branches in either form (groups-and-projects 2.3); the newer one wins. */
export function branchProtectionOf({ default_branch_protection, default_branch_protection_defaults }: GroupSettings) {
  return {
    default_branch_protection,
    default_branch_protection_defaults:
      (default_branch_protection_defaults as ProtectionDefaults | null) ??
      (defaultsByLevel[default_branch_protection] as ProtectionDefaults),
  };
}
