/** The protection of default branches in its two forms: a number, and a hash (protected-refs 6). */

import { type Static, Type } from "@sinclair/typebox";
import { accessLevels } from "../../../domain/access-level.ts";
import { boolean, hash, list, oneOf, optional } from "../../../domain/parameters.ts";

const numbers = [0, 1, 2, 3, 4] as const;
/** The levels that a rule may name: nobody, developers, maintainers, administrators. */
const levels = [0, 30, 40, 60] as const;
/** The number that protects fully; also the one of a hash that no number says. */
const full = 2;

const levelList = () => list(hash({ access_level: oneOf(levels) }), { maxItems: levels.length });

export const branchProtection = () => oneOf(numbers, { description: "0 protects no branch, 2 fully" });
export const branchProtectionDefaults = () =>
  hash({
    allowed_to_push: optional(levelList()),
    allow_force_push: optional(boolean()),
    allowed_to_merge: optional(levelList()),
    code_owner_approval_required: optional(boolean()),
    developer_can_initial_push: optional(boolean({ description: "developers may push to an empty repository" })),
  });

const BranchProtectionDefaults = Type.Partial(branchProtectionDefaults());
export type BranchProtectionDefaults = Static<typeof BranchProtectionDefaults>;
export type BranchProtection = (typeof numbers)[number];

/** Both forms of one protection. */
export interface BranchProtectionForms {
  readonly default_branch_protection: BranchProtection;
  readonly default_branch_protection_defaults: BranchProtectionDefaults;
}

const by = (access_level: (typeof levels)[number]) => [{ access_level }];
const rule = (push: 30 | 40, merge: 30 | 40, others: BranchProtectionDefaults = {}): BranchProtectionDefaults => ({
  allowed_to_push: by(push),
  allowed_to_merge: by(merge),
  allow_force_push: false,
  developer_can_initial_push: false,
  ...others,
});
const { developer, maintainer } = accessLevels;

/** The hash of each number. */
const hashes: Readonly<Record<BranchProtection, BranchProtectionDefaults>> = {
  0: rule(developer, developer, { allow_force_push: true, code_owner_approval_required: false }),
  1: rule(developer, maintainer),
  2: rule(maintainer, maintainer),
  3: rule(maintainer, developer),
  4: rule(maintainer, maintainer, { developer_can_initial_push: true, code_owner_approval_required: false }),
};

export const initialBranchProtection: BranchProtectionForms = formsOfNumber(full);

export function formsOfNumber(number: BranchProtection): BranchProtectionForms {
  return { default_branch_protection: number, default_branch_protection_defaults: hashes[number] };
}

/** Both forms of a hash: the number is the one whose rule is the same, else 2. */
export function formsOfHash(hash: BranchProtectionDefaults): BranchProtectionForms {
  const wanted = comparable(hash);
  const number = numbers.find((each) => Bun.deepEquals(comparable(hashes[each]), wanted)) ?? full;
  return { default_branch_protection: number, default_branch_protection_defaults: hash };
}

/** Both forms of what a request sets; undefined if it sets neither. The hash wins. */
export function formsOfRequest(given: Partial<BranchProtectionForms>): BranchProtectionForms | undefined {
  if (given.default_branch_protection_defaults !== undefined) {
    return formsOfHash(given.default_branch_protection_defaults);
  }
  return given.default_branch_protection === undefined ? undefined : formsOfNumber(given.default_branch_protection);
}

/** The levels of a list without doubles; maintainers where it names none. */
export function protectedLevelsOf(
  list: BranchProtectionDefaults["allowed_to_push"],
): readonly (typeof levels)[number][] {
  const found = [...new Set((list ?? []).map(({ access_level }) => access_level))].sort((one, other) => one - other);
  return found.length === 0 ? [maintainer] : found;
}

function comparable(hash: BranchProtectionDefaults) {
  return [
    protectedLevelsOf(hash.allowed_to_push),
    protectedLevelsOf(hash.allowed_to_merge),
    hash.allow_force_push ?? false,
    hash.developer_can_initial_push ?? false,
  ];
}
