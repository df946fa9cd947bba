import type { Static } from "@sinclair/typebox";
import { accessLevels } from "../../../domain/access-level.ts";
import type { SignedInCaller } from "../../../domain/caller.ts";
import { notFound } from "../../../domain/failure.ts";
import { spend } from "../../../domain/work-budget.ts";
import { Access } from "../../core/access/index.ts";
import { findNamespace, findNamespaceByPath, isPathTaken } from "../../core/namespaces/index.ts";
import type { Context } from "../../kernel/context.ts";
import { groups } from "../groups/records.ts";
import { type NamespaceRecord, namespaces } from "./records.ts";
import type { NamespaceExists } from "./schema.ts";

/** `GET /namespaces/:id`: one's own, or a group that one is a member of; for administrators any. Throws 404. */
export function getNamespace(context: Context, caller: SignedInCaller, id: string): NamespaceRecord {
  const { store } = context;
  const namespace = /^\d+$/.test(id) ? store.of(namespaces).get(Number(id)) : findNamespaceByPath(store, id);
  if (namespace === undefined || !canReadNamespace(context, caller, namespace)) throw notFound("Namespace");
  return namespace;
}

function canReadNamespace(context: Context, { user }: SignedInCaller, namespace: NamespaceRecord): boolean {
  const access = context.get(Access);
  if (namespace.kind === "user") return user.is_admin || namespace.owner_id === user.id;
  const group = context.store.of(groups).get(namespace.id);
  if (group === undefined || !access.canSeeGroup(user, group)) return false;
  return access.levelInGroup(user, group.id) >= accessLevels.minimal;
}

/** The work for one path that is tried, in steps. */
const stepsPerTry = 100;

/**
 * `GET /namespaces/:path/exists`: whether a user or group has the path, and if so, one that is free. The answer does
 * not depend on the content of groups that the caller does not see.
 */
export function getExistence(
  context: Context,
  { user }: SignedInCaller,
  { path, parent_id }: Static<typeof NamespaceExists>,
): { exists: boolean; suggests: string[] } {
  const { store } = context;
  const parent = parent_id === undefined ? undefined : store.of(groups).get(parent_id);
  const isHidden = parent_id !== undefined && (parent === undefined || !context.get(Access).canSeeGroup(user, parent));
  const place = parent?.id ?? null;
  if (isHidden || findNamespace(store, place, path) === undefined) return { exists: false, suggests: [] };
  let number = 1;
  while (isPathTaken(store, place, `${path}${number}`)) {
    spend(stepsPerTry);
    number += 1;
  }
  return { exists: true, suggests: [`${path}${number}`] };
}
