import type { AnyCollectionDeclaration } from "../../store/index.ts";
import type { Context, ContextModules } from "./context.ts";
import type { DomainEvent, Subscription, Subscriptions } from "./event.ts";
import type { CronJob, JobKind } from "./job.ts";
import { requireNoFaults } from "./module-faults.ts";
import type { Operation } from "./operation.ts";
import { OperationTable } from "./operation-table.ts";
import type { Registry, RegistryEntries, RegistryEntry } from "./registry.ts";
import type { Samples } from "./sample.ts";
import type { ServiceKey } from "./service.ts";

/** Everything that the server knows of a module. `modules/index.ts` lists the manifests; nothing else names a module's parts. */
export type ModuleManifest = OperationsByTag & {
  /** kebab-case; errors of the start name the module by it. */
  readonly name: string;
  /** A sentence about each tag that it is the first module to have, for the API reference. */
  readonly about?: Readonly<Record<string, string>>;
  /** The areas of its operations (`areaOf`), in the order of the alphabet: the first request for one of them loads its operations. */
  readonly areas?: readonly string[];
  /** A successful call of each operation, for tests and for `outpost selftest`. */
  readonly samples?: () => Promise<Samples>;
  /** Services that the module offers to others, and its caches. */
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
  /** The registries that the module declares. */
  readonly registries?: readonly Registry<unknown>[];
  /** Its entries of the registries of any module. */
  readonly entries?: readonly RegistryEntry[];
  /** Begins with a server, before its first request, in the order of the modules. */
  readonly start?: (context: Context) => void | Promise<void>;
  /**
   * Ends with a server: called for all modules when the stop begins, so that no client waits. `drained` resolves once all requests
   * and jobs have ended; the store closes after the promise that this returns.
   */
  readonly stop?: (context: Context, drained: Promise<unknown>) => void | Promise<void>;
};

/**
 * Operations under one tag of the API reference, or under several. Modules may share a tag: it then has the operations of
 * each, in the order of the modules.
 */
type OperationsByTag =
  | { readonly tag: string; readonly operations: () => Promise<readonly Operation[]> }
  | { readonly tag?: never; readonly operations?: () => Promise<Readonly<Record<string, readonly Operation[]>>> };

/** A collection without the type of its documents. */
type DeclaredCollection = Pick<AnyCollectionDeclaration, "kind" | "name">;

/** The manifests of all modules together, for the router, the API reference, the store and the scheduler. */
export interface AssembledModules extends ContextModules {
  readonly operations: OperationTable;
  readonly collections: readonly AnyCollectionDeclaration[];
  readonly jobKinds: readonly JobKind[];
  readonly periodicWork: readonly CronJob[];
  /** `start` of each module, one after the other. */
  start(context: Context): Promise<void>;
  /** `stop` of all modules. Rejects with the first error, once all have ended. */
  stop(context: Context, drained: Promise<unknown>): Promise<void>;
}

/** Gives a manifest its type. */
export function defineModule(manifest: ModuleManifest): ModuleManifest {
  return manifest;
}

/** Puts the manifests together. Throws an error that names the module when a manifest is wrong or contradicts another one. */
export function assembleModules(modules: readonly ModuleManifest[]): AssembledModules {
  requireNoFaults(modules);
  return joinModules(modules);
}

/** Puts manifests together that were checked before, as those of the product are by the build. */
export function joinModules(modules: readonly ModuleManifest[]): AssembledModules {
  return {
    operations: new OperationTable(modules),
    services: new Set(modules.flatMap(({ services = [] }) => services)),
    subscriptions: subscriptionsOf(modules),
    registries: registriesOf(modules),
    collections: modules.flatMap(({ collections = [] }) => collections as readonly AnyCollectionDeclaration[]),
    jobKinds: modules.flatMap(({ jobs = [] }) => jobs),
    periodicWork: modules.flatMap(({ cron = [] }) => cron),
    async start(context) {
      for (const { start } of modules) await start?.(context);
    },
    async stop(context, drained) {
      const ends = modules.map(async ({ stop }) => stop?.(context, drained));
      await Promise.allSettled(ends);
      await Promise.all(ends);
    },
  };
}

/** Ordered by phase, lower ones first. */
function subscriptionsOf(modules: readonly ModuleManifest[]): Subscriptions {
  const all = modules.flatMap(({ on = [] }) => on);
  const inOrder = all.toSorted((one, other) => (one.phase ?? 5) - (other.phase ?? 5));
  const events = modules.flatMap(({ events = [] }) => events);
  return new Map(events.map((event) => [event, inOrder.filter((each) => each.event === event)]));
}

function registriesOf(modules: readonly ModuleManifest[]): RegistryEntries {
  const all = modules.flatMap(({ entries = [] }) => entries);
  const registries = modules.flatMap(({ registries = [] }) => registries);
  return new Map(
    registries.map((registry) => [
      registry,
      all.filter((each) => each.registry === registry).map(({ entry }) => entry),
    ]),
  );
}
