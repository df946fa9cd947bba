import type {
  CollectionDeclaration,
  IndexDeclarations,
  multi,
  StoredDocument,
  Transaction,
} from "../../../store/index.ts";
import { type GroupRecord, groups } from "../../groups-and-projects/groups/records.ts";
import { type ProjectRecord, projects } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import { domainEvent, type Phase, type Subscription, subscribe } from "../../kernel/event.ts";
import { recordEvents } from "../../kernel/record-events.ts";
import { type RemovalBudget, removeFirst } from "../../kernel/removal.ts";

/**
 * Events about projects. A rename or a transfer is an update. A project counts as deleted as soon as it is hidden: its members and
 * its path are still there then.
 */
export const projectEvents = recordEvents<ProjectRecord>("project", projects);

/** Events about groups, as those about projects. */
export const groupEvents = recordEvents<GroupRecord>("group", groups);

/**
 * Published in each step of the deletion of a project, until a step leaves some of its budget (groups-and-projects 3.1).
 * The project is hidden from all users; its own record is removed after all subscribers are done. Records that point to others
 * are removed in an earlier phase than those.
 */
export const projectRemovalStep = domainEvent<{ readonly project: ProjectRecord; readonly budget: RemovalBudget }>(
  "project-removal-step-begun",
);

/**
 * Published as `projectRemovalStep`, in each step of the deletion of a group (groups-and-projects 2.1), after the subgroups and
 * projects are removed and before the group's own record.
 */
export const groupRemovalStep = domainEvent<{ readonly group: GroupRecord; readonly budget: RemovalBudget }>(
  "group-removal-step-begun",
);

interface Removal<R> {
  readonly phase?: Phase;
  /** Removes at most `limit` documents and returns how many; fewer than `limit` are the last ones. */
  remove(tx: Transaction, context: Context, record: R, limit: number): number;
}

/** A module's part in deleting a project. */
export function projectRemoval({ remove, ...options }: Removal<ProjectRecord>): Subscription {
  return subscribe(projectRemovalStep, {
    ...options,
    run: (tx, context, { project, budget }) => budget.spend((limit) => remove(tx, context, project, limit)),
  });
}

/** A module's part in deleting a group. */
export function groupRemoval({ remove, ...options }: Removal<GroupRecord>): Subscription {
  return subscribe(groupRemovalStep, {
    ...options,
    run: (tx, context, { group, budget }) => budget.spend((limit) => remove(tx, context, group, limit)),
  });
}

/** Removes the documents of a collection with the project that their index `project_id` names. */
export function deletedWithProject<T extends StoredDocument>(
  declared: CollectionDeclaration<T, IndexDeclarations<T> & { readonly project_id: ReturnType<typeof multi<T>> }>,
  phase: Phase = 5,
): Subscription {
  return projectRemoval({
    phase,
    remove: (tx, { store }, { id }, limit) =>
      removeFirst(tx, declared, store.of(declared).by.project_id.find(id), limit),
  });
}
