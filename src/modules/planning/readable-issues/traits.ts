/** The traits of issues that decide who may read them, updated with each change. */

import { Bitmap, type Store } from "../../../store/index.ts";
import { type UserRecord, users } from "../../core/users/records.ts";
import { type ProjectRecord, projectSettingOf, projects } from "../../groups-and-projects/projects/records.ts";
import { type IssueRecord, issues } from "../issues/records.ts";

/**
 * A fact about an issue's project that decides its readers: `public` and `internal` are open to users without a
 * membership, `on` to members at least. `banned` is about the author.
 */
export type Trait = "public" | "internal" | "on" | "archived" | "banned";

const projectTraits = ["public", "internal", "on", "archived"] as const;

/** The issues of each trait, updated with issues, projects and authors, so that no request walks projects. */
export class IssueTraits {
  readonly #store: Store;
  readonly #sets: Readonly<Record<Trait, Bitmap>> = {
    public: new Bitmap(),
    internal: new Bitmap(),
    on: new Bitmap(),
    archived: new Bitmap(),
    banned: new Bitmap(),
  };

  constructor(store: Store) {
    this.#store = store;
    if (store.of(issues).size > 0) this.#fill();
    store.watch(issues, (before, after) => this.#noteIssue(before, after));
    store.watch(projects, (before, after) => this.#noteProject(before, after));
    store.watch(users, (before, after) => {
      if (before?.state !== after?.state) this.#noteAuthor(after);
    });
  }

  /** Live, and not to be changed. */
  of(trait: Trait): Bitmap {
    return this.#sets[trait];
  }

  #fill(): void {
    const [{ by }, authors] = [this.#store.of(issues), this.#store.of(users)];
    for (const projectId of by.project_id.keys()) this.#addAll(Number(projectId));
    for (const userId of authors.by.state.find("banned")) this.#noteAuthor(authors.get(userId));
  }

  #noteIssue(before: IssueRecord | undefined, after: IssueRecord | undefined): void {
    if (before?.project_id === after?.project_id && before?.author_id === after?.author_id) return;
    if (before !== undefined) for (const set of Object.values(this.#sets)) set.delete(before.id);
    if (after === undefined) return;
    for (const trait of traitsOf(this.#store.of(projects).get(after.project_id))) this.#sets[trait].add(after.id);
    if (this.#store.of(users).get(after.author_id)?.state === "banned") this.#sets.banned.add(after.id);
  }

  #noteProject(before: ProjectRecord | undefined, after: ProjectRecord | undefined): void {
    const [was, is] = [traitsOf(before), traitsOf(after)];
    const changed = projectTraits.filter((trait) => was.includes(trait) !== is.includes(trait));
    if (changed.length === 0) return;
    for (const id of this.#store.of(issues).by.project_id.find((after ?? before)?.id as number)) {
      for (const trait of changed) {
        if (is.includes(trait)) this.#sets[trait].add(id);
        else this.#sets[trait].delete(id);
      }
    }
  }

  #noteAuthor(author: UserRecord | undefined): void {
    if (author === undefined) return;
    for (const id of this.#store.of(issues).by.author_id.find(author.id)) {
      if (author.state === "banned") this.#sets.banned.add(id);
      else this.#sets.banned.delete(id);
    }
  }

  #addAll(projectId: number): void {
    for (const trait of traitsOf(this.#store.of(projects).get(projectId))) {
      for (const id of this.#store.of(issues).by.project_id.find(projectId)) this.#sets[trait].add(id);
    }
  }
}

export function traitsOf(project: ProjectRecord | undefined): (typeof projectTraits)[number][] {
  if (project === undefined || project.is_being_deleted === true) return [];
  const traits: (typeof projectTraits)[number][] = project.archived ? ["archived"] : [];
  const level = projectSettingOf(project, "issues_access_level");
  if (level === "disabled") return traits;
  traits.push("on");
  if (level === "enabled" && project.visibility !== "private") traits.push(project.visibility);
  return traits;
}
