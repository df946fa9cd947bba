/** A heap of values, the one with the largest time first. */
export class TimeQueue<T> {
  readonly #items: { readonly time: number; readonly value: T }[] = [];

  get size(): number {
    return this.#items.length;
  }

  push(time: number, value: T): void {
    const items = this.#items;
    let at = items.push({ time, value }) - 1;
    while (at > 0) {
      const above = (at - 1) >>> 1;
      if (this.#timeAt(above) >= time) break;
      this.#swap(at, above);
      at = above;
    }
  }

  pop(): T | undefined {
    const items = this.#items;
    const [first] = items;
    const last = items.pop();
    if (first === undefined || last === undefined || items.length === 0) return first?.value;
    items[0] = last;
    for (let at = 0; ; ) {
      const [left, right] = [2 * at + 1, 2 * at + 2];
      let larger = at;
      if (left < items.length && this.#timeAt(left) > this.#timeAt(larger)) larger = left;
      if (right < items.length && this.#timeAt(right) > this.#timeAt(larger)) larger = right;
      if (larger === at) return first.value;
      this.#swap(at, larger);
      at = larger;
    }
  }

  #timeAt(at: number): number {
    return (this.#items[at] as { readonly time: number }).time;
  }

  #swap(one: number, other: number): void {
    const items = this.#items;
    const kept = items[one] as (typeof items)[number];
    items[one] = items[other] as (typeof items)[number];
    items[other] = kept;
  }
}
