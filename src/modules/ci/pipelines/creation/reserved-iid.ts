/** The number of a pipeline in its project. */

import type { Store } from "../../../../store/index.ts";
import type { ProjectRecord } from "../../../groups-and-projects/projects/records.ts";

/** The number of a pipeline that is not stored yet. It is taken when a file asks for it: then no other pipeline gets it. */
export class ReservedIid {
  readonly #store: Store;
  readonly #project: ProjectRecord;
  reserved: number | undefined;

  constructor(store: Store, project: ProjectRecord) {
    this.#store = store;
    this.#project = project;
  }

  get value(): number {
    this.reserved ??= this.#store.transact((tx) => tx.nextId(iidSequence(this.#project)));
    return this.reserved;
  }
}

export function iidSequence({ id }: ProjectRecord): string {
  return `pipelines of project ${id}`;
}
