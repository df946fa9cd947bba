/** A type of records in projects, and who may read them. */

import type { AccessLevel } from "../../../domain/access-level.ts";
import type { CallerUser } from "../../../domain/caller.ts";
import type { CollectionDeclaration, IdSet, IndexDeclarations, Store, StoredDocument } from "../../../store/index.ts";
import type { ProjectRecord } from "../../groups-and-projects/projects/records.ts";
import type { AccessPolicy } from "../access/index.ts";

/** A record that is in a project and has an author. */
export interface ProjectThing extends StoredDocument {
  readonly project_id: number;
  readonly author_id: number;
}

/** The readers of all records in one project, but for the restricted ones. */
export interface ProjectReaders {
  /** The level from which members read them. */
  readonly level: AccessLevel;
  /** Other users who read them: `internal`, each signed-in user who is not external; `public`, everybody. */
  readonly others: "nobody" | "internal" | "public";
}

/** The declaration of `ReadableSets` for the records of one collection. */
export interface ReadableKind<T extends ProjectThing> {
  readonly collection: CollectionDeclaration<T, IndexDeclarations<T>>;
  /** Every level that `readersIn` returns. */
  readonly levels: readonly AccessLevel[];
  /** undefined: the project shows them to nobody, administrators excepted. */
  readersIn(project: ProjectRecord): ProjectReaders | undefined;
  /** Whether the user may read one: the rule that the sets must equal. */
  canRead(store: Store, access: AccessPolicy, user: CallerUser | undefined, record: T): boolean;
  listProjectIds(store: Store): Iterable<number>;
  listInProject(store: Store, projectId: number): IdSet;
  listByAuthor(store: Store, userId: number): IdSet;
  /** Left out: none is restricted. */
  readonly restricted?: RestrictedOnes<T>;
}

/** Records that fewer users may read than the others in their project. */
export interface RestrictedOnes<T> {
  list(store: Store): IdSet;
  /** The level from which members read them. */
  readonly level: AccessLevel;
  /** The records that a user reads without that level. */
  listFor(store: Store, userId: number): readonly IdSet[];
  /** Whether a change leaves the readers the same, project and author aside. */
  isReadBySame(before: T, after: T): boolean;
}
