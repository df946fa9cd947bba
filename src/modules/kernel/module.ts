import type { AnyCollectionDeclaration, Transaction } from "../../store/index.ts";
import type { ContextModules } from "./context.ts";
import type { DomainEvent, Subscription, Subscriptions } from "./event.ts";
import type { EpicListener, IssueListener, NoteListener } from "./issue-hooks.ts";
import type { CronJob, JobKind } from "./job.ts";
import type { MemberRemovedHook } from "./member-removed-hook.ts";
import { refuseFaults } from "./module-faults.ts";
import type { ApiTag, Operation } from "./operation.ts";
import type { OnPush, ProjectFacts } from "./project-hooks.ts";
import type { ServiceKey } from "./service.ts";

/** Everything that the server knows of a module. `modules/index.ts` lists the manifests; nothing else names a module's parts. */
export type ModuleManifest = OperationsByTag & {
  /** kebab-case; errors of the start name the module by it. */
  readonly name: string;
  /** What the module offers to others, and its caches. */
  readonly services?: readonly ServiceKey<unknown>[];
  readonly collections?: readonly DeclaredCollection[];
  /** Kinds of background jobs. */
  readonly jobs?: readonly JobKind[];
  /** Periodic work. */
  readonly cron?: readonly CronJob[];
  /** The domain events that the module declares. */
  readonly events?: readonly DomainEvent<unknown>[];
  /** Its subscriptions to the events of any module. */
  readonly on?: readonly Subscription[];
  readonly onMemberRemoved?: readonly MemberRemovedHook[];
  /** Called in the order of the modules, as all listeners. */
  readonly onIssueChanged?: readonly IssueListener[];
  readonly onNoteCreated?: readonly NoteListener[];
  readonly onEpicCreated?: readonly EpicListener[];
  readonly onPush?: OnPush;
  /** The facts about a project that the module knows. */
  readonly projectFacts?: Partial<ProjectFacts>;
};

/**
 * Operations under one tag of the API reference, or under several. Modules may share a tag: it then has the operations of
 * each, in the order of the modules.
 */
type OperationsByTag =
  | { readonly tag: string; readonly operations: readonly Operation[] }
  | { readonly tag?: never; readonly operations?: Readonly<Record<string, readonly Operation[]>> };

/** A collection without the type of its documents. */
type DeclaredCollection = Pick<AnyCollectionDeclaration, "kind" | "name">;

/** The manifests of all modules together, for the router, the API reference, the store and the scheduler. */
export interface AssembledModules extends ContextModules {
  /** In the order in which the modules first name them. */
  readonly apiTags: readonly ApiTag[];
  /** In the order of the tags. */
  readonly operations: readonly Operation[];
  readonly collections: readonly AnyCollectionDeclaration[];
  readonly jobKinds: readonly JobKind[];
  readonly periodicWork: readonly CronJob[];
  readonly memberDepartures: readonly MemberRemovedHook[];
  readonly issueListeners: readonly IssueListener[];
  readonly noteListeners: readonly NoteListener[];
  readonly epicListeners: readonly EpicListener[];
  readonly onPush: OnPush;
  readonly projectFacts: ProjectFacts;
}

/** Gives a manifest its type. */
export function defineModule(manifest: ModuleManifest): ModuleManifest {
  return manifest;
}

/** Puts the manifests together. Throws an error that names the module when a manifest is wrong or contradicts another one. */
export function assembleModules(modules: readonly ModuleManifest[]): AssembledModules {
  refuseFaults(modules);
  const apiTags = tagsOf(modules);
  return {
    apiTags,
    operations: apiTags.flatMap(({ operations }) => operations),
    services: new Set(modules.flatMap(({ services = [] }) => services)),
    subscriptions: subscriptionsOf(modules),
    collections: modules.flatMap(({ collections = [] }) => collections as readonly AnyCollectionDeclaration[]),
    jobKinds: modules.flatMap(({ jobs = [] }) => jobs),
    periodicWork: modules.flatMap(({ cron = [] }) => cron),
    memberDepartures: modules.flatMap(({ onMemberRemoved = [] }) => onMemberRemoved),
    issueListeners: modules.flatMap(({ onIssueChanged = [] }) => onIssueChanged),
    noteListeners: modules.flatMap(({ onNoteCreated = [] }) => onNoteCreated),
    epicListeners: modules.flatMap(({ onEpicCreated = [] }) => onEpicCreated),
    onPush: pushFollowers(modules.flatMap(({ onPush }) => onPush ?? [])),
    projectFacts: Object.assign({}, nothingKnown, ...modules.map(({ projectFacts }) => projectFacts)),
  };
}

/** Those of lower phases first. */
function subscriptionsOf(modules: readonly ModuleManifest[]): Subscriptions {
  const all = modules.flatMap(({ on = [] }) => on);
  const inOrder = all.toSorted((one, other) => (one.phase ?? 5) - (other.phase ?? 5));
  const events = modules.flatMap(({ events = [] }) => events);
  return new Map(events.map((event) => [event, inOrder.filter((each) => each.event === event)]));
}

function tagsOf(modules: readonly ModuleManifest[]): ApiTag[] {
  const byName = new Map<string, Operation[]>();
  for (const { name, operations } of modules.flatMap(operationsByTag)) {
    byName.set(name, [...(byName.get(name) ?? []), ...operations]);
  }
  return [...byName].map(([name, operations]) => ({ name, operations }));
}

function operationsByTag(manifest: ModuleManifest): ApiTag[] {
  if (manifest.tag !== undefined) return [{ name: manifest.tag, operations: manifest.operations }];
  return Object.entries(manifest.operations ?? {}).map(([name, operations]) => ({ name, operations }));
}

/** One after the other; what they return runs in the same order. */
function pushFollowers(followers: readonly OnPush[]): OnPush {
  return async (context, push) => {
    const follows: ((tx: Transaction) => void)[] = [];
    for (const follower of followers) follows.push((await follower(context, push)) ?? (() => {}));
    return (tx) => {
      for (const follow of follows) follow(tx);
    };
  };
}

/** The facts that a project's object shows where no module brings better ones. */
const nothingKnown: ProjectFacts = {
  openIssuesCount: () => 0,
  isRepositoryEmpty: () => true,
  readmeUrl: () => null,
};
