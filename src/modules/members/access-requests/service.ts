import { type AccessLevel, accessLevels } from "../../../domain/access-level.ts";
import type { SignedInCaller } from "../../../domain/caller.ts";
import { forbidden, invalid, notFoundLowerCase, requireUnmodified } from "../../../domain/failure.ts";
import type { Page, PageRequest } from "../../../domain/page.ts";
import { holderKey, sourceKey } from "../../../domain/source.ts";
import { type DateTime, toDateTime } from "../../../lib/datetime.ts";
import { Access, accessRequestEvents, refOf, type Source } from "../../core/access/index.ts";
import { getUser } from "../../core/users/index.ts";
import { groupSettingsOf } from "../../groups-and-projects/groups/records.ts";
import { projectSettingsOf } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import { insertRecord, removeRecord } from "../../kernel/record-events.ts";
import {
  findMembership,
  insertMembership,
  requireMemberManager,
  requireMemberReader,
  requireUnlockedMembership,
  validateDraft,
} from "../members/index.ts";
import type { MembershipRecord } from "../members/records.ts";
import { type AccessRequestRecord, accessRequests } from "./records.ts";

/** `GET /SRC/:id/access_requests`, oldest first. */
export function listRequests({ store }: Context, source: Source, page: PageRequest): Page<AccessRequestRecord> {
  const where = [{ index: "source", key: sourceKey(refOf(source)) } as const];
  return store.page(accessRequests, { where, order: "id", descending: false, page });
}

/**
 * `POST /SRC/:id/access_requests` (members-and-access 3.1). Throws 403 for members and where requests are disabled, 400 for a
 * second request.
 */
export function requestAccess(context: Context, caller: SignedInCaller, source: Source): AccessRequestRecord {
  const { user } = caller;
  const { store, clock } = context;
  if (isMember(context, source, user.id) || !isRequestable(source)) throw forbidden();
  if (findRequest(context, source, user.id) !== undefined) throw invalid({ user_id: ["already exists in source"] });
  const now = toDateTime(clock.now());
  const { type, id } = refOf(source);
  return store.transact((tx) =>
    insertRecord(tx, context, caller, accessRequestEvents, {
      id: tx.nextId("access_requests"),
      source_type: type,
      source_id: id,
      user_id: user.id,
      created_at: now,
      updated_at: now,
    }),
  );
}

/** `PUT /SRC/:id/access_requests/:user_id/approve`: the requester becomes a member, and the request is used up. */
export function approveRequest(
  context: Context,
  caller: SignedInCaller,
  source: Source,
  userId: number,
  level: number = accessLevels.developer,
): MembershipRecord {
  requireMemberReader(context, caller, source);
  getRequest(context, source, userId);
  requireMemberManager(context, caller, source, level);
  requireUnlockedMembership(context, source);
  const user = getUser(context.store, userId);
  const draft = validateDraft(context, source, user, { access_level: level as AccessLevel }, true);
  return context.store.transact((tx) => insertMembership(tx, context, caller, source, user, draft));
}

/** `DELETE /SRC/:id/access_requests/:user_id`: a manager of members denies it, or the requester takes it back. */
export function deleteRequest(
  context: Context,
  caller: SignedInCaller,
  source: Source,
  userId: number,
  unmodifiedSince: DateTime | undefined,
): void {
  if (userId !== caller.user.id) requireMemberReader(context, caller, source);
  const request = getRequest(context, source, userId);
  if (userId !== caller.user.id) requireMemberManager(context, caller, source);
  requireUnmodified(request, unmodifiedSince);
  context.store.transact((tx) => removeRecord(tx, context, caller, accessRequestEvents, request.id));
}

/** Whether the user is a member in any way, including one that gives no access yet. */
function isMember(context: Context, source: Source, userId: number): boolean {
  const access = context.get(Access);
  const level =
    "group" in source
      ? access.memberLevelInGroup(userId, source.group.id)
      : access.memberLevelInProject(userId, source.project);
  return level > accessLevels.none || findMembership(context, source, userId) !== undefined;
}

function isRequestable(source: Source): boolean {
  return "group" in source
    ? groupSettingsOf(source.group).request_access_enabled
    : projectSettingsOf(source.project).request_access_enabled;
}

function findRequest({ store }: Context, source: Source, userId: number): AccessRequestRecord | undefined {
  const id = store.of(accessRequests).by.holder.find(holderKey(refOf(source), userId));
  return id === undefined ? undefined : store.of(accessRequests).get(id);
}

/** Throws 404 `Not found`. */
function getRequest(context: Context, source: Source, userId: number): AccessRequestRecord {
  const request = findRequest(context, source, userId);
  if (request === undefined) throw notFoundLowerCase();
  return request;
}
