/** A line in which owners take turns, however many places one of them has in it. */
export class Line<T extends { readonly owner: string }> {
  #places: T[] = [];

  add(place: T): void {
    this.#places.push(place);
  }

  remove(place: T): void {
    this.#places = this.#places.filter((each) => each !== place);
  }

  /** Takes out the first place of an owner who is allowed, and puts that owner's other places behind all others. */
  next(isAllowed: (owner: string) => boolean): T | undefined {
    const found = this.#places.find(({ owner }) => isAllowed(owner));
    if (found === undefined) return undefined;
    const { owner } = found;
    const others = this.#places.filter((each) => each.owner !== owner);
    this.#places = [...others, ...this.#places.filter((each) => each.owner === owner && each !== found)];
    return found;
  }

  /** Whether an owner who is allowed waits. */
  has(isAllowed: (owner: string) => boolean): boolean {
    return this.#places.some(({ owner }) => isAllowed(owner));
  }
}
