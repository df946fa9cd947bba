import type { Static } from "@sinclair/typebox";
import { accessLevels } from "../../../domain/access-level.ts";
import type { SignedInCaller } from "../../../domain/caller.ts";
import { conflict, Failure, forbidden, invalid, notFound, requireUnmodified } from "../../../domain/failure.ts";
import { holderKey } from "../../../domain/source.ts";
import { type DateTime, toDateTime } from "../../../lib/datetime.ts";
import type { Store } from "../../../store/index.ts";
import { Access, canReadGroup, getGroup, levelIn, namespacesOf, refOf, type Source } from "../../core/access/index.ts";
import { selfAndAncestors } from "../../core/namespaces/index.ts";
import type { Context } from "../../kernel/context.ts";
import { isExpired } from "../../members/members/records.ts";
import { type GroupRecord, groupSettingsOf, groups } from "../groups/records.ts";
import type { ProjectRecord } from "../projects/records.ts";
import { type GroupLinkRecord, groupLinks } from "./records.ts";
import type { ShareSource } from "./schema.ts";
import { insertLink, removeLink } from "./service-links.ts";

type Parameters = Static<typeof ShareSource>;

/** `POST /groups/:id/share`. A caller who does not own the group gets 404 (members-and-access 5). */
export function shareGroup(context: Context, caller: SignedInCaller, group: GroupRecord, params: Parameters): void {
  requireOwnHierarchy(context, caller, group);
  const invited = getInvited(context, caller, params.group_id);
  if (invited.id === group.id) throw invalid({ shared_with_group_id: ["cannot be the group itself"] });
  requireAllowedHierarchy(context, { group }, invited);
  share(context, caller, { group }, invited, params);
}

/**
 * `POST /projects/:id/share`, by a maintainer; owners alone give what owners have. Throws 409 for groups whose members have
 * access already.
 */
export function shareProject(
  context: Context,
  caller: SignedInCaller,
  project: ProjectRecord,
  params: Parameters,
): GroupLinkRecord {
  const invited = getInvited(context, caller, params.group_id);
  const level = levelIn(context, caller, { project });
  if (params.group_access === accessLevels.owner && level < accessLevels.owner) throw forbidden();
  if (isSharingLocked(context, project)) throw invalid("The project sharing with group is disabled");
  requireAllowedHierarchy(context, { project }, invited);
  if (namespacesOf(context.store, { project }).some(({ id }) => id === invited.id)) {
    throw conflict("Project cannot be shared with the group it is in or one of its ancestors.");
  }
  return share(context, caller, { project }, invited, params);
}

/**
 * `DELETE /SRC/:id/share/:group_id`. A caller who does not own the group gets the answer of a deletion, as on the
 * platform, but the share stays.
 */
export function deleteShare(
  context: Context,
  caller: SignedInCaller,
  source: Source,
  groupId: number,
  unmodifiedSince: DateTime | undefined,
): void {
  const link = findLink(context, source, groupId);
  if (link === undefined || isExpired(link, context.get(Access).today)) throw notFound("Group Link");
  requireUnmodified(link, unmodifiedSince);
  if ("group" in source && levelIn(context, caller, source) < accessLevels.owner) return;
  if (link.group_access === accessLevels.owner && levelIn(context, caller, source) < accessLevels.owner)
    throw forbidden();
  context.store.transact((tx) => removeLink(tx, context, caller, link));
}

/** The group to share with, whose members the caller sees from then on, so it takes the right to read them. Throws 404. */
function getInvited(context: Context, caller: SignedInCaller, id: number): GroupRecord {
  const invited = getGroup(context, caller, id);
  if (!canReadGroup(context, caller.user, invited)) throw notFound("Group");
  return invited;
}

/** Throws 404 for callers who are no owner. */
function requireOwnHierarchy(context: Context, caller: SignedInCaller, group: GroupRecord): void {
  if (levelIn(context, caller, { group }) < accessLevels.owner) throw notFound("Group");
}

/** Throws 404 for a group outside of the top-level group of the source, where that one prevents it. */
function requireAllowedHierarchy({ store }: Context, source: Source, invited: GroupRecord): void {
  const rootId = closedHierarchyOf(store, source);
  if (rootId === undefined || selfAndAncestors(store, invited.id).some(({ id }) => id === rootId)) return;
  throw new Failure("not_found", { message: "Not Found" });
}

/** The id of the top-level group of a source that is shared only with groups in it; undefined: there is none. */
export function closedHierarchyOf(store: Store, source: Source): number | undefined {
  const root = store.of(groups).get(namespacesOf(store, source).at(-1)?.id ?? 0);
  return root !== undefined && groupSettingsOf(root).prevent_sharing_groups_outside_hierarchy ? root.id : undefined;
}

/** Clients compare these texts with the platform's. */
const alreadyShared = {
  group: "Shared group The group has already been shared with this group",
  project: "Group already shared with this group",
} as const;

function share(
  context: Context,
  caller: SignedInCaller,
  source: Source,
  invited: GroupRecord,
  { group_access, expires_at }: Parameters,
): GroupLinkRecord {
  const { store, clock } = context;
  const access = context.get(Access);
  const known = findLink(context, source, invited.id);
  if (known !== undefined && !isExpired(known, access.today)) throw conflict(alreadyShared[refOf(source).type]);
  const day = expires_at?.slice(0, 10) ?? null;
  const errors: Record<string, string[]> = {};
  if (group_access < accessLevels.guest) errors.group_access = ["is not included in the list"];
  if (day !== null && day < access.today) errors.expires_at = ["cannot be a date in the past"];
  if (Object.keys(errors).length > 0) throw invalid(errors);
  const { type, id } = refOf(source);
  const now = toDateTime(clock.now());
  const attributes = {
    source_type: type,
    source_id: id,
    group_id: invited.id,
    group_access,
    expires_at: day,
    created_at: now,
    updated_at: now,
  };
  return store.transact((tx) => insertLink(tx, context, caller, attributes, known));
}

function findLink({ store }: Context, source: Source, groupId: number): GroupLinkRecord | undefined {
  const id = store.of(groupLinks).by.pair.find(holderKey(refOf(source), groupId));
  return id === undefined ? undefined : store.of(groupLinks).get(id);
}

/** Whether a group above the project forbids to share it. */
export function isSharingLocked({ store }: Context, project: ProjectRecord): boolean {
  return namespacesOf(store, { project }).some(({ id }) => {
    const group = store.of(groups).get(id);
    return group !== undefined && groupSettingsOf(group).share_with_group_lock;
  });
}
