import type { Static, TObject } from "@sinclair/typebox";
import { accessLevels } from "../../../domain/access-level.ts";
import type { Caller, SignedInCaller } from "../../../domain/caller.ts";
import { forbiddenWith, invalid, unprocessable } from "../../../domain/failure.ts";
import { holderKey } from "../../../domain/source.ts";
import { toDateTime } from "../../../lib/datetime.ts";
import type { Transaction } from "../../../store/index.ts";
import { memberEvents } from "../../core/access/index.ts";
import { findNamespaceByPath, projectEvents } from "../../core/namespaces/index.ts";
import { getUser } from "../../core/users/index.ts";
import type { UserRecord } from "../../core/users/records.ts";
import type { Context } from "../../kernel/context.ts";
import { publish, subscribe } from "../../kernel/event.ts";
import { insertRecord, updateRecord } from "../../kernel/record-events.ts";
import { withStoredAvatar } from "../../kernel/uploaded-avatar.ts";
import { memberships } from "../../members/members/records.ts";
import { pushedProjectRequested } from "../../repositories/git-transport/index.ts";
import { commitInitialReadme, initialBranch, pickStorage } from "../../repositories/repositories/index.ts";
import { type NamespaceRecord, namespaces } from "../namespaces-api/records.ts";
import { recordProjectEvent } from "./audit.ts";
import { withPolicy } from "./expiration-policy.ts";
import { canCreateProjectsIn } from "./policy.ts";
import { type ProjectRecord, projects } from "./records.ts";
import type { CreateProject } from "./schema-parameters.ts";
import { mergeSettings, settingsFrom } from "./settings.ts";
import { validateStorage } from "./storages.ts";
import { pathFromName, requireValidProject } from "./validation.ts";

type Parameters = Static<TObject<typeof CreateProject>>;

interface NewProject {
  readonly namespace: NamespaceRecord;
  readonly creatorId: number;
  readonly params: Parameters;
  readonly avatar?: ProjectRecord["avatar"] | undefined;
}

/** Makes a private project where a caller pushes to, and may make projects (git-over-http 3.4). */
export const projectByPush = subscribe(pushedProjectRequested, {
  run(tx, context, { caller, path }) {
    const end = path.lastIndexOf("/");
    const namespace = findNamespaceByPath(context.store, path.slice(0, Math.max(0, end)));
    if (namespace === undefined || !canCreateProjectsIn(context, caller.user, namespace)) return;
    const params = { path: path.slice(end + 1), visibility: "private" } as const;
    insertProject(tx, context, caller, { namespace, creatorId: caller.user.id, params });
  },
});

/**
 * `POST /projects` (groups-and-projects 3.1). Throws 400 for a namespace where the caller may not make projects and for
 * broken rules, 403 when the limit of a personal namespace's user is reached.
 */
export async function createProject(
  context: Context,
  caller: SignedInCaller,
  params: Parameters,
  baseUrl: string,
): Promise<ProjectRecord> {
  const place = () => namespaceFor(context, caller, params.namespace_id ?? undefined);
  return createProjectIn(context, caller, place, caller.user.id, params, baseUrl);
}

/** `POST /projects/user/:user_id`, by an administrator: in that user's namespace, as if the user had made it. */
export function createProjectForUser(
  context: Context,
  caller: SignedInCaller,
  user: UserRecord,
  params: Parameters,
  baseUrl: string,
): Promise<ProjectRecord> {
  const place = () => personalNamespaceOf(context, getUser(context.store, user.id).id);
  return createProjectIn(context, caller, place, user.id, params, baseUrl);
}

/** The personal namespace of a user; each user has one. */
export function personalNamespaceOf({ store }: Context, userId: number): NamespaceRecord {
  const id = store.of(namespaces).by.owner_id.find(userId);
  const namespace = id === undefined ? undefined : store.of(namespaces).get(id);
  if (namespace === undefined) throw new Error(`user ${userId} has no namespace`);
  return namespace;
}

/** Whether the user of a personal namespace has as many projects as they may have; groups have no limit. */
export function projectLimitReached({ store }: Context, namespace: NamespaceRecord): number | undefined {
  if (namespace.owner_id === null) return undefined;
  const { projects_limit } = getUser(store, namespace.owner_id);
  const all = store.of(projects).by.namespace_id.find(namespace.id);
  let count = all.size;
  for (const id of store.of(projects).by.flag.find("deletion accepted")) if (all.has(id)) count -= 1;
  return count >= projects_limit ? projects_limit : undefined;
}

/** The user of a personal namespace is a direct owner of every project in it (members-and-access 1). */
export function insertNamespaceOwner(
  tx: Transaction,
  context: Context,
  caller: Caller,
  project: ProjectRecord,
  { owner_id }: NamespaceRecord,
): void {
  if (owner_id === null) return;
  const { store, clock } = context;
  const now = toDateTime(clock.now());
  const rows = store.of(memberships);
  const known = rows.by.holder.find(holderKey({ type: "project", id: project.id }, owner_id));
  const before = known === undefined ? undefined : rows.get(known);
  const held = { access_level: accessLevels.owner, state: "active", expires_at: null, updated_at: now } as const;
  if (before !== undefined) {
    updateRecord(tx, context, caller, memberEvents, { ...before, ...held });
    return;
  }
  insertRecord(tx, context, caller, memberEvents, {
    id: tx.nextId("memberships"),
    source_type: "project",
    source_id: project.id,
    user_id: owner_id,
    created_by_id: owner_id,
    created_at: now,
    ...held,
  });
}

function namespaceFor(context: Context, caller: SignedInCaller, id: number | undefined): NamespaceRecord {
  const namespace =
    id === undefined ? personalNamespaceOf(context, caller.user.id) : context.store.of(namespaces).get(id);
  if (namespace === undefined || !canCreateProjectsIn(context, caller.user, namespace)) {
    throw invalid({ namespace: ["is not valid"] });
  }
  return namespace;
}

async function createProjectIn(
  context: Context,
  caller: SignedInCaller,
  place: () => NamespaceRecord,
  creatorId: number,
  params: Parameters,
  baseUrl: string,
): Promise<ProjectRecord> {
  refuseSources(params);
  const planned = planProject(context, caller, place(), creatorId, params);
  const branch =
    params.initialize_with_readme === true
      ? initialBranch(context, planned.namespace_id, params.default_branch)
      : undefined;
  const project = await withStoredAvatar(context, params.avatar, (avatar) =>
    // While the picture was written, the caller may have lost the right, and others may have taken the names.
    context.store.transact((tx) =>
      insertProject(tx, context, caller, { namespace: place(), creatorId, params, avatar }),
    ),
  );
  return branch === undefined ? project : commitInitialReadme(context, caller, project, branch, baseUrl);
}

function insertProject(
  tx: Transaction,
  context: Context,
  caller: SignedInCaller,
  { namespace, creatorId, params, avatar = null }: NewProject,
): ProjectRecord {
  const attributes = planProject(context, caller, namespace, creatorId, params);
  const project = tx.insert(projects, { id: tx.nextId("projects"), ...attributes, avatar });
  insertNamespaceOwner(tx, context, caller, project, namespace);
  recordProjectEvent(tx, context, caller, project, "project_created", {
    add: "project",
    custom_message: "Added project",
  });
  publish(tx, context, projectEvents.created, { caller, before: undefined, after: project });
  return project;
}

/** There are no templates and no imports: throws 400 for the one, 422 for the other. */
function refuseSources({ template_name, template_project_id, import_url }: Parameters): void {
  if (template_name) throw invalid({ template_name: [`'${template_name}' is unknown or invalid`] });
  if (template_project_id != null) throw invalid({ template_project_id: ["is unknown or invalid"] });
  if (import_url) {
    throw unprocessable("This server cannot import a repository from import_url. Create the project without it.");
  }
}

/** The record's field of a policy, left out for the initial one. */
export function expirationOf(policy: ProjectRecord["expiration_policy"]): Pick<ProjectRecord, "expiration_policy"> {
  return policy === undefined ? {} : { expiration_policy: policy };
}

/** Throws 403 for one too many, 400 for broken rules. */
function planProject(
  context: Context,
  caller: SignedInCaller,
  namespace: NamespaceRecord,
  creatorId: number,
  params: Parameters,
): Omit<ProjectRecord, "id"> {
  const limit = projectLimitReached(context, namespace);
  if (limit !== undefined) {
    throw forbiddenWith(`Your project limit is ${limit} projects! Please contact your administrator to increase it`);
  }
  const attributes = attributesOf(context, caller, namespace, creatorId, params);
  requireValidProject(context, caller, { ...attributes, upload: params.avatar });
  return attributes;
}

function attributesOf(
  context: Context,
  caller: SignedInCaller,
  namespace: NamespaceRecord,
  creatorId: number,
  params: Parameters,
): Omit<ProjectRecord, "id"> {
  const now = toDateTime(context.clock.now());
  const name = (params.name ?? params.path ?? "").trim();
  const path = params.path ?? pathFromName(name);
  return {
    namespace_id: namespace.id,
    name,
    path,
    description: params.description ?? null,
    visibility: params.visibility ?? "private",
    creator_id: creatorId,
    archived: false,
    // The first commit names it, and that of a README comes at once.
    default_branch: null,
    topics: topicsOf(params) ?? [],
    settings: mergeSettings({}, settingsFrom(context, caller, params)),
    ...expirationOf(withPolicy(undefined, params.container_expiration_policy_attributes)),
    avatar: null,
    import_url: null,
    star_count: 0,
    runners_token: context.randomness.token(20),
    repository_storage: validateStorage(context, caller, params.repository_storage) ?? pickStorage(context),
    created_at: now,
    updated_at: now,
    last_activity_at: now,
  };
}

/** The topics that were given, by their name or the older one: sorted, each once; undefined when none were. */
export function topicsOf({ topics, tag_list }: Pick<Parameters, "topics" | "tag_list">): readonly string[] | undefined {
  const given = topics ?? tag_list;
  if (given === undefined) return undefined;
  const byKey = new Map(given.map((topic) => [topic.trim().toLowerCase(), topic.trim()]));
  byKey.delete("");
  return [...byKey.values()].sort();
}
