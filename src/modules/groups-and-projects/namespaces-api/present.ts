import type { Static } from "@sinclair/typebox";
import { accessLevels } from "../../../domain/access-level.ts";
import type { Caller } from "../../../domain/caller.ts";
import { includesTier } from "../../../domain/edition.ts";
import { sourceKey } from "../../../domain/source.ts";
import { documentSteps, spend } from "../../../domain/work-budget.ts";
import { Access } from "../../core/access/index.ts";
import { GroupStatistics, selfAndDescendants } from "../../core/namespaces/index.ts";
import { getUser } from "../../core/users/index.ts";
import type { Context } from "../../kernel/context.ts";
import type { View } from "../../kernel/view.ts";
import { isExpired, memberships } from "../../members/members/records.ts";
import { groupSettingsOf, groups } from "../groups/records.ts";
import { presentProjectNamespace } from "../projects/index.ts";
import { projects } from "../projects/records.ts";
import type { NamespaceRecord } from "./records.ts";
import type { Namespace } from "./schema.ts";
import { countBillableIn } from "./service-billable.ts";

/** groups-and-projects 4. */
export function presentNamespace(namespace: NamespaceRecord, view: View): Static<typeof Namespace> {
  const { context, caller } = view;
  const { id, kind } = namespace;
  const isOwner = owns(context, namespace, caller);
  const below = isOwner && kind === "group" ? selfAndDescendants(context.store, id) : [];
  return {
    ...presentProjectNamespace(namespace, view),
    kind,
    ...(isOwner && kind === "group" ? countsOf(context, below) : {}),
    ...(isOwner && includesTier(context.edition, "premium") ? planOf(context, namespace, below) : {}),
  };
}

function owns(context: Context, { id, owner_id }: NamespaceRecord, { user }: Caller): boolean {
  if (owner_id !== null) return user !== undefined && (user.is_admin || user.id === owner_id);
  return context.get(Access).levelInGroup(user, id) >= accessLevels.owner;
}

/** Counts the projects and members of groups. */
function countsOf(context: Context, groupIds: readonly number[]) {
  const { store } = context;
  const { today } = context.get(Access);
  const members = new Set<number>();
  let projects_count = 0;
  for (const id of groupIds) {
    for (const rowId of store.of(memberships).by.source.find(sourceKey({ type: "group", id }))) {
      spend(documentSteps);
      const row = store.of(memberships).get(rowId);
      if (row !== undefined && row.state === "active" && !isExpired(row, today)) members.add(row.user_id);
    }
    projects_count += store.of(projects).by.namespace_id.find(id).size;
  }
  return {
    members_count_with_descendants: members.size,
    root_repository_size: context.get(GroupStatistics).repositorySizeIn(groupIds),
    projects_count,
  };
}

/** Fields of a subscription; there are none here. */
function planOf(context: Context, { id, owner_id }: NamespaceRecord, below: readonly number[]) {
  const { store } = context;
  const group = store.of(groups).get(id);
  const holder =
    group !== undefined ? groupSettingsOf(group) : owner_id !== null ? getUser(store, owner_id) : undefined;
  const billable = owner_id === null ? countBillableIn(context, below) : 1;
  return {
    billable_members_count: billable,
    plan: "default",
    end_of_subscription: null,
    trial: false,
    trial_ends_on: null,
    seats_in_use: billable,
    max_seats_used: billable,
    max_seats_used_changed_at: null,
    additional_purchased_storage_size: 0,
    additional_purchased_storage_ends_on: null,
    shared_runners_minutes_limit: holder?.shared_runners_minutes_limit ?? null,
    extra_shared_runners_minutes_limit: holder?.extra_shared_runners_minutes_limit ?? null,
  };
}
