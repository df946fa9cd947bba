import { type AccessLevel, accessLevels } from "../../../../domain/access-level.ts";
import type { Caller } from "../../../../domain/caller.ts";
import type { Page, PageRequest } from "../../../../domain/page.ts";
import { sourceKey } from "../../../../domain/source.ts";
import {
  Access,
  hiddenLinksOf,
  linksInto,
  membershipOriginsOf,
  membershipThrough,
} from "../../../core/access/index.ts";
import { selfAndAncestors } from "../../../core/namespaces/index.ts";
import { type UserRecord, users } from "../../../core/users/records.ts";
import type { Context } from "../../../kernel/context.ts";
import { memberships } from "../../../members/members/records.ts";
import { type GroupRecord, groups } from "../../groups/records.ts";
import type { ProjectRecord } from "../records.ts";

/**
 * `GET /projects/:id/users` (members-and-access 5): all users with access, by id, as far as the caller may know of them
 * (4.1, rule 5).
 */
export function listProjectUsers(
  context: Context,
  caller: Caller,
  project: ProjectRecord,
  { search, skip_users = [] }: { readonly search?: string; readonly skip_users?: readonly number[] },
  page: PageRequest,
): Page<UserRecord> {
  const wanted = search?.trim().toLowerCase() ?? "";
  return context.store.page(users, {
    where: [{ ids: occupantsOf(context, caller, project) }, { not: { ids: new Set(skip_users) } }],
    order: "id",
    descending: false,
    page,
    ...(wanted === ""
      ? {}
      : { matches: ({ name, username }) => `${name}\n${username}`.toLowerCase().includes(wanted) }),
  });
}

/** Ids of the users with access in any way that the caller may know of. */
function occupantsOf(context: Context, caller: Caller, project: ProjectRecord): Set<number> {
  const { store } = context;
  const access = context.get(Access);
  const hidden = hiddenLinksOf(context, caller, { project });
  const found = new Set<number>();
  for (const channel of membershipOriginsOf(store, { type: "project", id: project.id }, access.today)) {
    if (channel.link !== undefined && hidden.has(channel.link.id)) continue;
    for (const rowId of store.of(memberships).by.source.find(sourceKey(channel.source))) {
      const row = store.of(memberships).get(rowId);
      if (row !== undefined && membershipThrough(channel, row, access.today, false) !== undefined)
        found.add(row.user_id);
    }
  }
  return found;
}

interface GroupFilter {
  readonly search?: string;
  readonly skip_groups?: readonly number[];
}

/** `GET /projects/:id/groups` (members-and-access 5): those above it, and with `with_shared` those invited to it. */
export function listProjectGroups(
  context: Context,
  caller: Caller,
  project: ProjectRecord,
  filter: GroupFilter & {
    readonly with_shared?: boolean;
    readonly shared_min_access_level?: AccessLevel;
  },
): GroupRecord[] {
  const above = selfAndAncestors(context.store, project.namespace_id).map(({ id }) => id);
  const least = filter.shared_min_access_level ?? accessLevels.none;
  const invited = filter.with_shared === true ? invitedTo(context, [{ type: "project", id: project.id }], least) : [];
  return visibleGroups(context, caller, [...above, ...invited], filter);
}

/** `GET /projects/:id/invited_groups` (members-and-access 5): invited to it or, as inherited, to a group above. */
export function listInvitedGroups(
  context: Context,
  caller: Caller,
  project: ProjectRecord,
  filter: GroupFilter & {
    readonly relation?: readonly ("direct" | "inherited")[];
    readonly min_access_level?: AccessLevel;
  },
): GroupRecord[] {
  const { relation = ["direct", "inherited"], min_access_level: least = accessLevels.none } = filter;
  const above = selfAndAncestors(context.store, project.namespace_id).map(({ id }) => ({ type: "group", id }) as const);
  const sources = [
    ...(relation.includes("direct") ? [{ type: "project", id: project.id } as const] : []),
    ...(relation.includes("inherited") ? above : []),
  ];
  return visibleGroups(context, caller, invitedTo(context, sources, least), filter);
}

function invitedTo(
  context: Context,
  sources: readonly { readonly type: "group" | "project"; readonly id: number }[],
  least: AccessLevel,
): number[] {
  const links = sources.flatMap((source) => linksInto(context, source));
  return links.filter((link) => link.group_access >= least).map((link) => link.group_id);
}

/** The groups that the caller sees, each once, by name. */
function visibleGroups(
  context: Context,
  { user }: Caller,
  ids: readonly number[],
  { search, skip_groups = [] }: GroupFilter,
): GroupRecord[] {
  const wanted = search?.trim().toLowerCase() ?? "";
  return [...new Set(ids)]
    .map((id) => context.store.of(groups).get(id))
    .filter((group) => group !== undefined)
    .filter((group) => context.get(Access).canSeeGroup(user, group) && !skip_groups.includes(group.id))
    .filter(({ name, path }) => `${name}\n${path}`.toLowerCase().includes(wanted))
    .sort((one, other) => compareTexts(one.name.toLowerCase(), other.name.toLowerCase()) || one.id - other.id);
}

function compareTexts(one: string, other: string): number {
  return one === other ? 0 : one < other ? -1 : 1;
}
