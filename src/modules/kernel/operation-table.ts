import type { ModuleManifest } from "./module.ts";
import { type ApiTag, isDeep, type Operation } from "./operation.ts";

/** The area of paths that begin with a parameter. */
export const anyArea = "*";

/**
 * The part of the API that a path belongs to: `projects` for `/projects/1`, `-/jobs` for `/-/jobs/1`. `path`: below `/api/v4`, if
 * it is there.
 */
export function areaOf(path: string): string {
  const end = endOfSegment(path, 1);
  const first = path.slice(1, end);
  if (first === "-") return path.slice(1, endOfSegment(path, end + 1));
  return first.startsWith(":") || first.startsWith("*") ? anyArea : first;
}

/** A segment may carry `.json`. */
function endOfSegment(path: string, start: number): number {
  let end = start;
  while (end < path.length && path[end] !== "/" && path[end] !== ".") end += 1;
  return end;
}

/** The operations of all modules. A server loads those of a module with the first request for one of its areas. */
export class OperationTable {
  readonly #modules: readonly ModuleManifest[];
  readonly #byArea = new Map<string, ModuleManifest[]>();
  #tags: readonly ApiTag[] | undefined;
  #all: readonly Operation[] | undefined;

  constructor(modules: readonly ModuleManifest[]) {
    this.#modules = modules;
    for (const manifest of modules) {
      for (const area of manifest.areas ?? []) {
        const others = this.#byArea.get(area);
        if (others === undefined) this.#byArea.set(area, [manifest]);
        else others.push(manifest);
      }
    }
  }

  /** Whether any operation is of this area. */
  has(area: string): boolean {
    return this.#byArea.has(area);
  }

  /** Loads the operations of an area, and those with a path of several segments in its modules. */
  async of(area: string): Promise<readonly Operation[]> {
    const tags = await Promise.all((this.#byArea.get(area) ?? []).map(tagsOf));
    const operations = tags.flat().flatMap((tag) => tag.operations);
    return operations.filter((operation) => isDeep(operation) || areaOf(operation.path) === area);
  }

  /** Loads all, by tags in the order in which the modules first name them. */
  async tags(): Promise<readonly ApiTag[]> {
    if (this.#tags !== undefined) return this.#tags;
    const byName = new Map<string, ApiTag>();
    const loaded = await Promise.all(this.#modules.map(tagsOf));
    for (const { operations, ...tag } of loaded.flat()) {
      const earlier = byName.get(tag.name);
      byName.set(tag.name, { ...tag, ...earlier, operations: [...(earlier?.operations ?? []), ...operations] });
    }
    this.#tags = [...byName.values()];
    return this.#tags;
  }

  /** Loads all, in the order of the tags. */
  async loadAll(): Promise<readonly Operation[]> {
    this.#all ??= (await this.tags()).flatMap(({ operations }) => operations);
    return this.#all;
  }

  /** The same. Throws before `loadAll` has resolved. */
  get all(): readonly Operation[] {
    if (this.#all === undefined) throw new Error("the operations are not loaded");
    return this.#all;
  }
}

/** Loads the operations of a module. */
export async function tagsOf(manifest: ModuleManifest): Promise<ApiTag[]> {
  const { about = {} } = manifest;
  const tagOf = (name: string) => ({ name, ...(about[name] === undefined ? {} : { about: about[name] }) });
  if (manifest.tag !== undefined) return [{ ...tagOf(manifest.tag), operations: await manifest.operations() }];
  const operations = (await manifest.operations?.()) ?? {};
  return Object.entries(operations).map(([name, ofTag]) => ({ ...tagOf(name), operations: ofTag }));
}
