/** Documents of several collections. */
export class DocumentSet {
  readonly #ids = new Map<string, Set<number>>();

  has(collection: string, id: number): boolean {
    return this.#ids.get(collection)?.has(id) ?? false;
  }

  /** Adds a document. Returns false when it was in already. */
  add(collection: string, id: number): boolean {
    let ids = this.#ids.get(collection);
    if (ids === undefined) {
      ids = new Set();
      this.#ids.set(collection, ids);
    }
    const { size } = ids;
    return ids.add(id).size > size;
  }

  delete(collection: string, id: number): void {
    this.#ids.get(collection)?.delete(id);
  }
}
