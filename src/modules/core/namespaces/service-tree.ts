import { spend } from "../../../domain/work-budget.ts";
import type { Store, Transaction } from "../../../store/index.ts";
import { type GroupRecord, groups } from "../../groups-and-projects/groups/records.ts";
import {
  type FormerPathRecord,
  formerKey,
  formerPaths,
  type NamespaceRecord,
  namespaces,
  pathKey,
} from "../../groups-and-projects/namespaces-api/records.ts";
import { type ProjectRecord, projects } from "../../groups-and-projects/projects/records.ts";

/** Groups above a group: every answer about what is below repeats their names and paths. */
export const ancestorsMax = 20;
/** Groups that one part of a path has led to; what a caller who renames and moves groups adds to them is not looked at. */
const movedParentsMax = 32;

/** The group or user with this path right below a group, or on the top level. */
export function findNamespace(store: Store, parentId: number | null, path: string): NamespaceRecord | undefined {
  const id = store.of(namespaces).by.place.find(pathKey(parentId, path));
  return id === undefined ? undefined : store.of(namespaces).get(id);
}

/** The namespace with this full path, whatever the case of its letters. */
export function findNamespaceByPath(store: Store, fullPath: string): NamespaceRecord | undefined {
  let found: NamespaceRecord | undefined;
  for (const segment of fullPath.split("/")) {
    found = findNamespace(store, found?.id ?? null, segment);
    if (found === undefined) return undefined;
  }
  return found;
}

export function findGroupByPath(store: Store, fullPath: string): GroupRecord | undefined {
  const namespace = findNamespaceByPath(store, fullPath);
  return namespace?.kind === "group" ? store.of(groups).get(namespace.id) : undefined;
}

/** The project with this full path, whatever the case of its letters. */
export function findProjectByPath(store: Store, fullPath: string): ProjectRecord | undefined {
  const [parentPath, path] = splitLast(fullPath);
  const parent = parentPath === "" ? undefined : findNamespaceByPath(store, parentPath);
  return parent === undefined ? undefined : projectAt(store, parent.id, path);
}

/** The project that went by this full path before it, or a group above it, was renamed or moved (groups-and-projects 6). */
export function findMovedProject(store: Store, fullPath: string): ProjectRecord | undefined {
  const [parentPath, path] = splitLast(fullPath);
  const segments = parentPath.split("/");
  // Former paths may lead round in a circle: the length of the path alone ends the walk.
  if (segments.length > ancestorsMax + 1) return undefined;
  let parents: number[] = [];
  for (const [at, segment] of segments.entries()) {
    const places = at === 0 ? [pathKey(null, segment)] : parents.map((id) => pathKey(id, segment));
    // A group that has its old name again is met twice at one place.
    const found = places.flatMap((place) => [
      ...present(store.of(namespaces).by.place.find(place)),
      ...present(formerTarget(store, "namespace", place)),
    ]);
    parents = [...new Set(found)].slice(0, movedParentsMax);
  }
  for (const parent of parents) {
    const place = pathKey(parent, path);
    const id = store.of(projects).by.place.find(place) ?? formerTarget(store, "project", place);
    if (id !== undefined) return store.of(projects).get(id);
  }
  return undefined;
}

/** The namespace and those above it, the nearest first. */
export function selfAndAncestors(store: Store, namespaceId: number): NamespaceRecord[] {
  const chain: NamespaceRecord[] = [];
  let at: number | null = namespaceId;
  while (at !== null) {
    const namespace: NamespaceRecord | undefined = store.of(namespaces).get(at);
    if (namespace === undefined) break;
    chain.push(namespace);
    at = namespace.parent_id;
  }
  return chain;
}

/** The work for one group of a walk downwards, in steps. */
const descendantSteps = 40;

/** The ids of the group and of every group below it. Throws `OverBudget`. */
export function selfAndDescendants(store: Store, groupId: number): number[] {
  const ids = [groupId];
  for (let at = 0; at < ids.length; at += 1) {
    spend(descendantSteps);
    ids.push(...store.of(groups).by.parent_id.find(ids[at] as number));
  }
  return ids;
}

/** The ids of the projects of the group and of every group below it. */
export function projectsBelow(store: Store, groupId: number): number[] {
  return selfAndDescendants(store, groupId).flatMap((id) => [...store.of(projects).by.namespace_id.find(id)]);
}

/** Paths joined with `/`. */
export function fullPathOf(store: Store, namespaceId: number): string {
  return joined(selfAndAncestors(store, namespaceId), (namespace) => namespace.path, "/");
}

/** Names joined with ` / `. */
export function fullNameOf(store: Store, namespaceId: number): string {
  return joined(selfAndAncestors(store, namespaceId), (namespace) => namespace.name, " / ");
}

export function projectPathOf(store: Store, project: ProjectRecord): string {
  return `${fullPathOf(store, project.namespace_id)}/${project.path}`;
}

export function projectNameOf(store: Store, project: ProjectRecord): string {
  return `${fullNameOf(store, project.namespace_id)} / ${project.name}`;
}

/** Whether a path is taken in a namespace, or on the top level, by whatever has a path there. */
export function isPathTaken(store: Store, parentId: number | null, path: string): boolean {
  const place = pathKey(parentId, path);
  if (store.of(namespaces).by.place.find(place) !== undefined) return true;
  return parentId !== null && store.of(projects).by.place.find(place) !== undefined;
}

/** The personal namespace of a new user: its path is the username (users-and-auth 20). */
export function insertPersonalNamespace(
  tx: Transaction,
  user: { id: number; name: string; username: string },
): NamespaceRecord {
  return tx.insert(namespaces, {
    id: tx.nextId("namespaces"),
    kind: "user",
    name: user.name,
    path: user.username,
    parent_id: null,
    owner_id: user.id,
  });
}

/** A group with its namespace; the caller has seen to it that the place is free. */
export function insertGroup(tx: Transaction, attributes: Omit<GroupRecord, "id">): GroupRecord {
  const id = tx.nextId("namespaces");
  const { name, path, parent_id } = attributes;
  tx.insert(namespaces, { id, kind: "group", name, path, parent_id, owner_id: null });
  return tx.insert(groups, { id, ...attributes });
}

/** Changes a group, and its namespace where name, path or parent differ; the old path is remembered. */
export function updateGroupRecord(tx: Transaction, store: Store, group: GroupRecord): GroupRecord {
  moveNamespace(tx, store, group);
  return tx.update(groups, group);
}

/** Changes name or path of a personal namespace; the old path is remembered. */
export function moveNamespace(
  tx: Transaction,
  store: Store,
  { id, name, path, parent_id }: Pick<NamespaceRecord, "id" | "name" | "path" | "parent_id">,
): void {
  const before = store.of(namespaces).get(id);
  if (before === undefined) throw new Error(`no namespace ${id}`);
  if (before.name === name && before.path === path && before.parent_id === parent_id) return;
  const path_key = pathKey(before.parent_id, before.path);
  if (path_key !== pathKey(parent_id, path)) {
    remember(tx, store, { path_key, target_type: "namespace", target_id: id });
  }
  tx.update(namespaces, { ...before, name, path, parent_id });
}

/** Changes a project; where its path or namespace differ, the old path is remembered. */
export function updateProjectRecord(tx: Transaction, store: Store, project: ProjectRecord): ProjectRecord {
  const before = store.of(projects).get(project.id);
  if (before === undefined) throw new Error(`no project ${project.id}`);
  const path_key = pathKey(before.namespace_id, before.path);
  if (path_key !== pathKey(project.namespace_id, project.path)) {
    remember(tx, store, { path_key, target_type: "project", target_id: project.id });
  }
  return tx.update(projects, project);
}

/** Removes the record of a namespace that nothing is in any more, and what is remembered of it. */
export function removeNamespace(tx: Transaction, store: Store, id: number): void {
  forget(tx, store, "namespace", id);
  if (store.of(groups).get(id) !== undefined) tx.remove(groups, id);
  tx.remove(namespaces, id);
}

/** Its deletion was accepted: its path is free at once, its former ones too. */
export function hideProject(tx: Transaction, store: Store, project: ProjectRecord): ProjectRecord {
  forget(tx, store, "project", project.id);
  return tx.update(projects, { ...project, is_being_deleted: true });
}

/** Removes the record of a project, and what is remembered of it. */
export function removeProject(tx: Transaction, store: Store, id: number): void {
  forget(tx, store, "project", id);
  tx.remove(projects, id);
}

function remember(tx: Transaction, store: Store, former: Omit<FormerPathRecord, "id">): void {
  const known = store.of(formerPaths).by.path_key.find(formerKey(former.target_type, former.path_key));
  if (known === undefined) tx.insert(formerPaths, { id: tx.nextId("former_paths"), ...former });
  else tx.update(formerPaths, { id: known, ...former });
}

function forget(tx: Transaction, store: Store, targetType: FormerPathRecord["target_type"], id: number): void {
  const former = [...store.of(formerPaths).by.target.find(formerKey(targetType, id))];
  for (const each of former) tx.remove(formerPaths, each);
}

function formerTarget(store: Store, targetType: FormerPathRecord["target_type"], path_key: string): number | undefined {
  const id = store.of(formerPaths).by.path_key.find(formerKey(targetType, path_key));
  return id === undefined ? undefined : store.of(formerPaths).get(id)?.target_id;
}

function projectAt(store: Store, namespaceId: number, path: string): ProjectRecord | undefined {
  const id = store.of(projects).by.place.find(pathKey(namespaceId, path));
  return id === undefined ? undefined : store.of(projects).get(id);
}

function splitLast(fullPath: string): [before: string, last: string] {
  const at = fullPath.lastIndexOf("/");
  return at === -1 ? ["", fullPath] : [fullPath.slice(0, at), fullPath.slice(at + 1)];
}

function joined(
  chain: readonly NamespaceRecord[],
  wordOf: (namespace: NamespaceRecord) => string,
  glue: string,
): string {
  let text = "";
  for (const namespace of chain) text = text === "" ? wordOf(namespace) : `${wordOf(namespace)}${glue}${text}`;
  return text;
}

function present(id: number | undefined): number[] {
  return id === undefined ? [] : [id];
}
