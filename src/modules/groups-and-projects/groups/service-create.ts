import type { Static } from "@sinclair/typebox";
import { accessLevels } from "../../../domain/access-level.ts";
import type { Caller, SignedInCaller } from "../../../domain/caller.ts";
import { includesTier } from "../../../domain/edition.ts";
import { type AttributeErrors, forbidden, invalid } from "../../../domain/failure.ts";
import { toDateTime } from "../../../lib/datetime.ts";
import type { Transaction } from "../../../store/index.ts";
import { Access, getGroup } from "../../core/access/index.ts";
import { groupEvents, insertGroup } from "../../core/namespaces/index.ts";
import { getUser } from "../../core/users/index.ts";
import type { Context } from "../../kernel/context.ts";
import { publish } from "../../kernel/event.ts";
import { withStoredAvatar } from "../../kernel/uploaded-avatar.ts";
import { insertMembership } from "../../members/members/index.ts";
import { pickStorage } from "../../repositories/repositories/index.ts";
import { withSettings } from "./attributes.ts";
import { recordGroupEvent } from "./audit.ts";
import { type GroupRecord, groupSettingsOf } from "./records.ts";
import type { CreateGroup } from "./schema-parameters.ts";
import { validateGroup } from "./validation.ts";

type Parameters = Static<typeof CreateGroup>;

const runnersTokenLength = 20;

/**
 * `POST /groups` (groups-and-projects 2.3): the group, its first owner and the audit events in one transaction. Throws
 * 404 for a parent that is hidden, 403, and 400 with one string for all broken rules.
 */
export async function createGroup(context: Context, caller: SignedInCaller, params: Parameters): Promise<GroupRecord> {
  const { store, randomness, clock } = context;
  checkedDraft(context, caller, params);
  return withStoredAvatar(context, params.avatar, (avatar) =>
    store.transact((tx) => {
      // While the picture was written, the caller may have lost the right, and others may have taken the names.
      const draft = checkedDraft(context, caller, params);
      const now = toDateTime(clock.now());
      const group = insertGroup(tx, {
        ...draft,
        avatar: avatar ?? null,
        creator_id: caller.user.id,
        runners_token: randomness.token(runnersTokenLength),
        repository_storage: pickStorage(context),
        created_at: now,
        updated_at: now,
      });
      recordGroupEvent(tx, context, caller, group, "group_created", { add: "group", custom_message: "Added group" });
      insertFirstOwner(tx, context, caller, group);
      publish(tx, context, groupEvents.created, { caller, before: undefined, after: group });
      return group;
    }),
  );
}

function checkedDraft(context: Context, caller: SignedInCaller, params: Parameters) {
  const parent = params.parent_id === undefined ? undefined : getGroup(context, caller, params.parent_id);
  if (!canCreateGroup(context, caller, parent)) throw forbidden();
  const place = {
    isPremium: includesTier(context.edition, "premium"),
    isTopLevel: parent === undefined,
    isAdministrator: caller.user.is_admin,
  };
  const draft = {
    name: params.name,
    path: params.path,
    parent_id: parent?.id ?? null,
    description: params.description ?? "",
    visibility: params.visibility ?? ("private" as const),
    settings: withSettings({}, params, place),
  };
  const errors = validateGroup(context, caller, draft, { avatar: params.avatar });
  if (errors !== undefined) throw invalid(`Failed to save group ${inspected(errors)}`);
  return draft;
}

/** Top-level groups need an account that may create groups; subgroups need the level that the parent requires. */
export function canCreateGroup(context: Context, { user }: Caller, parent: GroupRecord | undefined): boolean {
  if (user === undefined) return false;
  if (parent === undefined) return user.is_admin || getUser(context.store, user.id).can_create_group;
  const needed = accessLevels[groupSettingsOf(parent).subgroup_creation_level];
  return context.get(Access).levelInGroup(user, parent.id) >= needed;
}

/** The caller becomes a direct owner of the group, whatever they were there before. */
export function insertFirstOwner(tx: Transaction, context: Context, caller: SignedInCaller, group: GroupRecord): void {
  insertMembership(tx, context, caller, { group }, caller.user, { access_level: accessLevels.owner, isCreator: true });
}

/** `{:path=>["has already been taken"]}`: clients know the errors of a creation as this one text. */
function inspected(errors: AttributeErrors): string {
  const parts = Object.entries(errors).map(([attribute, texts]) => `:${attribute}=>${JSON.stringify(texts)}`);
  return `{${parts.join(", ")}}`;
}
