import type { ModuleManifest } from "./module.ts";
import { type Operation, pathParameters, replacePathParameters } from "./operation.ts";
import { areaOf, tagsOf } from "./operation-table.ts";
import { loadSamples, needsMaker, type SampleTable, sampleNameOf } from "./sample-maker.ts";

/** The module that has a thing which only one may have, by the thing. */
type Owners = Map<string, string>;

/**
 * Throws an error that names the module when two modules have the same name, service, event, registry, collection, job kind or
 * periodic work, or when no module declares the event of a subscription or the registry of an entry.
 */
export function requireNoFaults(modules: readonly ModuleManifest[]): void {
  const names = new Set<string>();
  const owners: Owners = new Map();
  for (const manifest of modules) {
    const { name, services = [], events = [], registries = [] } = manifest;
    const { collections = [], jobs = [], cron = [] } = manifest;
    if (names.has(name)) throw new Error(`two modules have the name ${name}`);
    names.add(name);
    for (const service of services) claim(owners, name, `the service ${service.name}`);
    for (const event of events) claim(owners, name, `the event ${event.name}`);
    for (const registry of registries) claim(owners, name, `the registry ${registry.name}`);
    for (const collection of collections) claim(owners, name, `the collection ${collection.name}`);
    for (const { kind } of jobs) claim(owners, name, `the job kind ${kind}`);
    for (const work of cron) claim(owners, name, `the periodic work ${work.name}`);
  }
  requireDeclaredEvents(modules);
  requireDeclaredRegistries(modules);
}

function requireDeclaredEvents(modules: readonly ModuleManifest[]): void {
  const declared = new Set(modules.flatMap(({ events = [] }) => events));
  for (const { name, on = [] } of modules) {
    const lost = on.find(({ event }) => !declared.has(event));
    if (lost === undefined) continue;
    throw new Error(`the module ${name} subscribes to the event ${lost.event.name}, which no module declares`);
  }
}

function requireDeclaredRegistries(modules: readonly ModuleManifest[]): void {
  const declared = new Set(modules.flatMap(({ registries = [] }) => registries));
  for (const { name, entries = [] } of modules) {
    const lost = entries.find(({ registry }) => !declared.has(registry));
    if (lost === undefined) continue;
    throw new Error(`the module ${name} adds to the registry ${lost.registry.name}, which no module declares`);
  }
}

/**
 * Throws an error that names the module when two modules have the same route, when an operation does not say who may call it, or
 * when a module does not state the areas of its operations. Loads all operations.
 */
export async function verifyOperations(modules: readonly ModuleManifest[]): Promise<void> {
  const owners: Owners = new Map();
  for (const manifest of modules) {
    const { name, areas = [] } = manifest;
    const operations = (await tagsOf(manifest)).flatMap((tag) => tag.operations);
    for (const operation of operations) {
      requireCallers(name, operation);
      claim(owners, name, `the operation ${routeOf(operation)}`);
    }
    const needed = [...new Set(operations.map(({ path }) => areaOf(path)))].sort();
    if (needed.join() === areas.join()) continue;
    throw new Error(
      `the module ${name} states the areas ${areas.join(", ")}; its operations are in ${needed.join(", ")}`,
    );
  }
}

/** Throws an error that names the module when it has no sample of an operation that takes one. Loads all samples. */
export async function verifySamples(modules: readonly ModuleManifest[]): Promise<void> {
  const samples = await loadSamples(modules);
  for (const manifest of modules) {
    for (const operation of (await tagsOf(manifest)).flatMap((tag) => tag.operations)) {
      const needed = neededBySample(operation, samples);
      if (needed === undefined) continue;
      throw new Error(`the module ${manifest.name} has no sample of ${sampleNameOf(operation)}: it needs ${needed}`);
    }
  }
}

/** The first parameter that only a sample of the operation's own can have, where it has none. */
function neededBySample(operation: Operation, samples: SampleTable): string | undefined {
  const { params, path, rules = [] } = operation;
  const { make, unsuited, path: given = {}, ...members } = samples.get(sampleNameOf(operation)) ?? {};
  if (make !== undefined || unsuited !== undefined) return undefined;
  const inPath = pathParameters(path);
  const lost = needsMaker(sampleNameOf(operation), samples).find((name) => !(name in given));
  if (lost !== undefined || ["query", "json", "form", "multipart", "raw"].some((name) => name in members)) return lost;
  const chosen = rules.filter(({ rule }) => rule === "at_least_one" || rule === "exactly_one");
  return [...(params.required ?? []), ...chosen.flatMap(({ names }) => names)].find((name) => !inPath.includes(name));
}

function claim(owners: Owners, module: string, thing: string): void {
  const owner = owners.get(thing);
  if (owner === module) throw new Error(`the module ${module} has ${thing} twice`);
  if (owner !== undefined) throw new Error(`the module ${module} has ${thing}, which the module ${owner} has too`);
  owners.set(thing, module);
}

/** Paths that differ in the names of their parameters alone are one route. */
function routeOf({ method, path, root }: Operation): string {
  return `${method} ${root === true ? "/" : ""}${replacePathParameters(path, () => ":")}`;
}

/** The compiler refuses such an operation; code without types can still bring one. */
function requireCallers(module: string, { method, path, who }: Partial<Operation>): void {
  if (who === undefined) {
    throw new Error(`the module ${module} has the operation ${method} ${path}, which does not say who may call it`);
  }
}
