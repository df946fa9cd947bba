import type { Static } from "@sinclair/typebox";
import { accessLevels } from "../../../domain/access-level.ts";
import type { SignedInCaller } from "../../../domain/caller.ts";
import { includesTier } from "../../../domain/edition.ts";
import { invalid } from "../../../domain/failure.ts";
import { isWiderThan, type Visibility, visibilities } from "../../../domain/visibility.ts";
import { toDateTime } from "../../../lib/datetime.ts";
import type { Store, Transaction } from "../../../store/index.ts";
import { getGroup, requireLevel } from "../../core/access/index.ts";
import { fullPathOf, groupEvents, updateGroupRecord } from "../../core/namespaces/index.ts";
import type { Context } from "../../kernel/context.ts";
import { publish } from "../../kernel/event.ts";
import { withStoredAvatar } from "../../kernel/uploaded-avatar.ts";
import { projects } from "../projects/records.ts";
import { withSettings } from "./attributes.ts";
import { recordGroupEvent } from "./audit.ts";
import { type GroupRecord, type GroupSettings, groupSettingsOf, groups } from "./records.ts";
import type { UpdateGroup } from "./schema-parameters.ts";
import { validateGroup } from "./validation.ts";

type Parameters = Omit<Static<typeof UpdateGroup>, "id">;

/** `PUT /groups/:id` (groups-and-projects 2.3). Throws 400 with attribute errors. */
export async function updateGroup(
  context: Context,
  caller: SignedInCaller,
  group: GroupRecord,
  params: Parameters,
): Promise<GroupRecord> {
  const { store } = context;
  requireValidUpdate(context, caller, changed(context, caller, group, params), group, params);
  return withStoredAvatar(context, params.avatar, (avatar) =>
    store.transact((tx) => {
      // While the picture was written, the caller may have lost the right, and others may have changed the group.
      const before = getGroup(context, caller, group.id);
      requireLevel(context, caller, { group: before }, accessLevels.owner);
      const draft = { ...changed(context, caller, before, params), ...(avatar === undefined ? {} : { avatar }) };
      if (Bun.deepEquals(draft, before)) return before;
      requireValidUpdate(context, caller, draft, before, params);
      const path = fullPathOf(store, before.id);
      const after = updateGroupRecord(tx, store, { ...draft, updated_at: toDateTime(context.clock.now()) });
      recordChanges(tx, context, caller, before, after, path);
      publish(tx, context, groupEvents.updated, { caller, before, after });
      return after;
    }),
  );
}

function changed(context: Context, caller: SignedInCaller, before: GroupRecord, params: Parameters): GroupRecord {
  const place = {
    isPremium: includesTier(context.edition, "premium"),
    isTopLevel: before.parent_id === null,
    isAdministrator: caller.user.is_admin,
  };
  return {
    ...before,
    name: params.name ?? before.name,
    path: params.path ?? before.path,
    description: params.description ?? before.description,
    visibility: params.visibility ?? before.visibility,
    avatar: params.avatar === null ? null : before.avatar,
    settings: withSettings(before.settings, params, place),
  };
}

function requireValidUpdate(
  context: Context,
  caller: SignedInCaller,
  draft: GroupRecord,
  before: GroupRecord,
  { avatar }: Parameters,
): void {
  const { store } = context;
  const errors = validateGroup(context, caller, draft, { before, avatar });
  const isNarrowed = isWiderThan(before.visibility, draft.visibility);
  const narrow = isNarrowed ? narrowVisibilityProblems(store, draft) : [];
  const all = {
    ...errors,
    ...(narrow.length > 0 ? { visibility_level: narrow } : {}),
    ...((draft.settings.max_artifacts_size ?? 1) < 1 ? { max_artifacts_size: ["must be greater than 0"] } : {}),
  };
  if (Object.keys(all).length > 0) throw invalid(all);
}

/** Direct children are enough: nothing is more visible than its parent. */
function narrowVisibilityProblems(store: Store, { id, visibility }: GroupRecord): string[] {
  const isWider = {
    anyOf: visibilities
      .filter((each) => isWiderThan(each, visibility))
      .map((key) => ({ index: "visibility", key }) as const),
  };
  const widerProjects = store.count(projects, [
    { index: "namespace_id", key: id },
    isWider,
    { not: { index: "flag", key: "deletion accepted" } },
  ]);
  const widerGroups = store.count(groups, [
    { index: "parent_id", key: id },
    isWider,
    { not: { index: "deletion", key: "accepted" } },
  ]);
  const problems: string[] = [];
  if (widerProjects > 0) {
    problems.push(`${visibility} is not allowed since this group contains projects with higher visibility.`);
  }
  if (widerGroups > 0) {
    problems.push(`${visibility} is not allowed since there are sub-groups with higher visibility.`);
  }
  return problems;
}

/** Settings of which a change is recorded (audit-events 4). */
const recordedSettings = [
  "request_access_enabled",
  "project_creation_level",
  "require_two_factor_authentication",
  "two_factor_grace_period",
  "lfs_enabled",
  "membership_lock",
  "shared_runners_minutes_limit",
] as const satisfies readonly (keyof GroupSettings)[];

/** One event for each changed attribute; `path` is the full one from before. */
function recordChanges(
  tx: Transaction,
  context: Context,
  caller: SignedInCaller,
  before: GroupRecord,
  after: GroupRecord,
  path: string,
): void {
  const [old, now] = [groupSettingsOf(before), groupSettingsOf(after)];
  const pairs: [attribute: string, from: unknown, to: unknown][] = [
    ["name", before.name, after.name],
    ["path", before.path, after.path],
    ["visibility", wordOf(before.visibility), wordOf(after.visibility)],
    ["description", before.description, after.description],
    ...recordedSettings.map((name): [string, unknown, unknown] => [name, old[name], now[name]]),
  ];
  for (const [attribute, oldValue, newValue] of pairs) {
    if (oldValue === newValue) continue;
    const [from, to] = [`${oldValue ?? ""}`, `${newValue ?? ""}`];
    const event = attribute === "visibility" ? "group_visibility_level_updated" : `group_${attribute}_updated`;
    const act = { change: attribute, from, to, custom_message: `Changed ${attribute} from ${from} to ${to}` };
    recordGroupEvent(tx, context, caller, after, event, act, path);
  }
}

/** `Private`: how events spell a visibility. */
function wordOf(visibility: Visibility): string {
  return `${visibility.charAt(0).toUpperCase()}${visibility.slice(1)}`;
}
