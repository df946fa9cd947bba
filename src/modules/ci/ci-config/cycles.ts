/** Circles in what a file names. */

/**
 * Visits all nodes and what they lead to, and calls `onCycle` with each group of nodes that lead to each other, in the order in
 * which they were met. `onCycle` may end the visit by throwing.
 */
export function visitCycles<T>(
  nodes: Iterable<T>,
  leadsTo: (node: T) => Iterable<T>,
  onCycle: (together: readonly T[]) => void,
): void {
  const places = new Map<T, number>();
  const open: T[] = [];
  /** A chain may have thousands of nodes: too many for calls inside of each other. */
  const path: { readonly place: number; first: number; readonly rest: Iterator<T> }[] = [];
  const enter = (node: T) => {
    const place = open.push(node) - 1;
    places.set(node, place);
    path.push({ place, first: place, rest: leadsTo(node)[Symbol.iterator]() });
  };
  for (const node of nodes) {
    if (!places.has(node)) enter(node);
    for (let at = path.at(-1); at !== undefined; at = path.at(-1)) {
      const { value: next, done } = at.rest.next();
      if (done !== true) {
        const known = places.get(next);
        if (known === undefined) enter(next);
        else at.first = Math.min(at.first, known);
        continue;
      }
      path.pop();
      const above = path.at(-1);
      if (at.first < at.place && above !== undefined) above.first = Math.min(above.first, at.first);
      if (at.first < at.place) continue;
      const together = open.splice(at.place);
      if (together.length > 1) onCycle(together);
      // They lead nowhere back any more.
      for (const each of together) places.set(each, Number.POSITIVE_INFINITY);
    }
  }
}
