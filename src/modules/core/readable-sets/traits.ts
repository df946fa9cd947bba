/** The traits of records that decide who may read them, updated with each change. */

import { Bitmap, type Store } from "../../../store/index.ts";
import { type ProjectRecord, projects } from "../../groups-and-projects/projects/records.ts";
import { type UserRecord, users } from "../users/records.ts";
import type { ProjectThing, ReadableKind } from "./kind.ts";

/**
 * A fact about a record's project that decides its readers: `public` and `internal` are open to users without a
 * membership, `on` to members at least. `banned` is about the author.
 */
export type Trait = "public" | "internal" | "on" | "archived" | "banned";

const projectTraits = ["public", "internal", "on", "archived"] as const;
type ProjectTrait = (typeof projectTraits)[number];

/** The records of each trait, updated with records, projects and authors, so that no request walks projects. */
export class Traits<T extends ProjectThing> {
  readonly #store: Store;
  readonly #kind: ReadableKind<T>;
  readonly #sets: Readonly<Record<Trait, Bitmap>> = {
    public: new Bitmap(),
    internal: new Bitmap(),
    on: new Bitmap(),
    archived: new Bitmap(),
    banned: new Bitmap(),
  };

  constructor(store: Store, kind: ReadableKind<T>) {
    this.#store = store;
    this.#kind = kind;
    if (store.of(kind.collection).size > 0) this.#fill();
    store.watch(kind.collection, (before, after) => this.#noteRecord(before, after));
    store.watch(projects, (before, after) => this.#noteProject(before, after));
    store.watch(users, (before, after) => {
      if (before?.state !== after?.state) this.#noteAuthor(after);
    });
  }

  /** Live, and not to be changed. */
  of(trait: Trait): Bitmap {
    return this.#sets[trait];
  }

  /** Whether a change of a project leaves the traits and readers of its records the same. */
  areSame(before: ProjectRecord | undefined, after: ProjectRecord | undefined): boolean {
    const levelIn = (project: ProjectRecord | undefined) => project && this.#kind.readersIn(project)?.level;
    if (levelIn(before) !== levelIn(after)) return false;
    return traitsOf(this.#kind, before).join() === traitsOf(this.#kind, after).join();
  }

  #fill(): void {
    const authors = this.#store.of(users);
    for (const projectId of this.#kind.listProjectIds(this.#store)) this.#addAll(projectId);
    for (const userId of authors.by.state.find("banned")) this.#noteAuthor(authors.get(userId));
  }

  #noteRecord(before: T | undefined, after: T | undefined): void {
    if (before?.project_id === after?.project_id && before?.author_id === after?.author_id) return;
    if (before !== undefined) for (const set of Object.values(this.#sets)) set.delete(before.id);
    if (after === undefined) return;
    const project = this.#store.of(projects).get(after.project_id);
    for (const trait of traitsOf(this.#kind, project)) this.#sets[trait].add(after.id);
    if (this.#store.of(users).get(after.author_id)?.state === "banned") this.#sets.banned.add(after.id);
  }

  #noteProject(before: ProjectRecord | undefined, after: ProjectRecord | undefined): void {
    const [was, is] = [traitsOf(this.#kind, before), traitsOf(this.#kind, after)];
    const changed = projectTraits.filter((trait) => was.includes(trait) !== is.includes(trait));
    if (changed.length === 0) return;
    for (const id of this.#kind.listInProject(this.#store, (after ?? before)?.id as number)) {
      for (const trait of changed) {
        if (is.includes(trait)) this.#sets[trait].add(id);
        else this.#sets[trait].delete(id);
      }
    }
  }

  #noteAuthor(author: UserRecord | undefined): void {
    if (author === undefined) return;
    for (const id of this.#kind.listByAuthor(this.#store, author.id)) {
      if (author.state === "banned") this.#sets.banned.add(id);
      else this.#sets.banned.delete(id);
    }
  }

  #addAll(projectId: number): void {
    for (const trait of traitsOf(this.#kind, this.#store.of(projects).get(projectId))) {
      for (const id of this.#kind.listInProject(this.#store, projectId)) this.#sets[trait].add(id);
    }
  }
}

function traitsOf<T extends ProjectThing>(kind: ReadableKind<T>, project: ProjectRecord | undefined): ProjectTrait[] {
  if (project === undefined || project.is_being_deleted === true) return [];
  const readers = kind.readersIn(project);
  const traits: ProjectTrait[] = project.archived ? ["archived"] : [];
  if (readers === undefined) return traits;
  return readers.others === "nobody" ? [...traits, "on"] : [...traits, "on", readers.others];
}
