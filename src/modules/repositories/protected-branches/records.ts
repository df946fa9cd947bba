import { collection, field, multi, type RecordOf, record, type Store, unique } from "../../../store/index.ts";
import type { ProjectRecord } from "../../groups-and-projects/projects/records.ts";

/** A rule for the branches of a project whose names match (protected-refs 1). The branches need not exist. */
export const ProtectedBranchRecord = record({
  id: field.whole,
  project_id: field.whole,
  /** A name; `*` stands for any text. */
  name: field.text,
  allow_force_push: field.flag,
  code_owner_approval_required: field.flag,
  created_at: field.moment,
  updated_at: field.moment,
});
export type ProtectedBranchRecord = RecordOf<typeof ProtectedBranchRecord>;

export const protectedBranches = collection("protected-branches", ProtectedBranchRecord, {
  indexes: {
    name_in_project: unique(({ project_id, name }) => nameInProject(project_id, name)),
    project_id: multi(({ project_id }) => [project_id]),
  },
  references: { project_id: "projects" },
});

export const accessKinds = ["push", "merge", "unprotect"] as const;
export type AccessKind = (typeof accessKinds)[number];

/** The levels that a rule may name: nobody, developers, maintainers, administrators. */
export const ruleLevels = [0, 30, 40, 60] as const;

/** A row of a rule: those whom it lets do something. It names a level, a user or a group. */
export const RefAccessLevelRecord = record({
  id: field.whole,
  kind: field.oneOf(...accessKinds),
  rule_id: field.whole,
  project_id: field.whole,
  access_level: field.nullable(field.oneOf(...ruleLevels)),
  user_id: field.nullable(field.whole),
  group_id: field.nullable(field.whole),
});
export type RefAccessLevelRecord = RecordOf<typeof RefAccessLevelRecord>;

export const refAccessLevels = collection("ref-access-levels", RefAccessLevelRecord, {
  indexes: {
    rule_id: multi(({ rule_id }) => [rule_id]),
    project_id: multi(({ project_id }) => [project_id]),
    user_id: multi(({ user_id }) => (user_id === null ? [] : [user_id])),
    group_id: multi(({ group_id }) => (group_id === null ? [] : [group_id])),
  },
  references: { rule_id: "protected-branches", project_id: "projects", user_id: "users", group_id: "groups" },
});

export function nameInProject(projectId: number, name: string): string {
  return `${projectId}\n${name}`;
}

/** The part of a row that decides; a rule that is not stored has rows without ids. */
export type AccessRow = Pick<RefAccessLevelRecord, "access_level" | "user_id" | "group_id">;

/** The part of a rule that decides who may do what. */
export interface BranchRule<R extends AccessRow = AccessRow> {
  readonly name: string;
  readonly allow_force_push: boolean;
  readonly push: readonly R[];
  readonly merge: readonly R[];
}

/** A stored rule with its rows, each list by id. They are read when they are asked for: most rules are about other branches. */
export class StoredBranchRule implements BranchRule<RefAccessLevelRecord> {
  readonly record: ProtectedBranchRecord;
  readonly #store: Store;
  #rows: readonly RefAccessLevelRecord[] | undefined;

  constructor(store: Store, record: ProtectedBranchRecord) {
    this.record = record;
    this.#store = store;
  }

  get name(): string {
    return this.record.name;
  }

  get allow_force_push(): boolean {
    return this.record.allow_force_push;
  }

  get push(): readonly RefAccessLevelRecord[] {
    return this.#rowsOf("push");
  }

  get merge(): readonly RefAccessLevelRecord[] {
    return this.#rowsOf("merge");
  }

  get unprotect(): readonly RefAccessLevelRecord[] {
    return this.#rowsOf("unprotect");
  }

  #rowsOf(kind: AccessKind): readonly RefAccessLevelRecord[] {
    const all = this.#store.of(refAccessLevels);
    this.#rows ??= [...all.by.rule_id.find(this.record.id)]
      .sort((one, other) => one - other)
      .map((id) => all.get(id))
      .filter((row) => row !== undefined);
    return this.#rows.filter((row) => row.kind === kind);
  }
}

/** The rules that a project may have. */
export const rulesMax = 1000;

/** The rows that all rules of a project may have together. */
export const rowsInProjectMax = 10_000;

export function branchRulesOf(store: Store, { id }: Pick<ProjectRecord, "id">): StoredBranchRule[] {
  return [...store.of(protectedBranches).by.project_id.find(id)]
    .map((each) => store.of(protectedBranches).get(each))
    .filter((each) => each !== undefined)
    .map((each) => new StoredBranchRule(store, each));
}
