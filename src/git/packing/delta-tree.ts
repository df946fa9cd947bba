import { chainMax, PackError } from "./limits.ts";
import { hexOf, oidBytes } from "./oid-table.ts";
import type { PackEntries } from "./pack-entries.ts";

const none = -1;
/** Bytes of contents that wait for the deltas that are made from them; others are made again. */
const waitingBytesMax = 64 << 20;

/** An object in the way to the deltas that are made from it. */
interface Step {
  readonly at: number;
  /** The next delta of it. */
  child: number;
  /** undefined: made again when it is needed. */
  content: Buffer | undefined;
}

/** Notes an object that was made from deltas: its place, the number of its type, its content. */
export type OnMade = (at: number, type: number, content: Buffer) => void;

/** The deltas of a pack by the objects that they change. */
export class DeltaTree {
  readonly #entries: PackEntries;
  readonly #onMade: OnMade;
  /** First delta that is made from an object, by its place, and the next one of the same base. */
  readonly #firstChild = new Map<number, number>();
  readonly #nextSibling: Int32Array;
  /** Deltas by the ids of their bases. */
  readonly #waiting = new Map<string, number[]>();

  /** Throws `PackError` for a delta of an offset at which no entry begins. */
  constructor(entries: PackEntries, onMade: OnMade) {
    this.#entries = entries;
    this.#onMade = onMade;
    this.#nextSibling = new Int32Array(entries.count).fill(none);
    for (let at = entries.count - 1; at >= 0; at -= 1) {
      const head = entries.types[at] === 0 ? entries.head(at) : undefined;
      if (head === undefined || !("base" in head)) continue;
      if (typeof head.base === "string") this.#wait(head.base, at);
      else {
        const base = entries.placeOf(head.base);
        if (base === undefined) throw new PackError("pack has unresolved deltas");
        this.#link(base, at);
      }
    }
  }

  /** Ids that deltas are made from and that no object of the pack has yet. */
  get missingBases(): readonly string[] {
    return [...this.#waiting.keys()].sort();
  }

  /** Makes all deltas of an object, and theirs, without recursion. */
  makeFrom(root: number): void {
    this.#linkWaiting(root);
    const first = this.#firstChild.get(root);
    if (first === undefined) return;
    const type = this.#entries.types[root] as number;
    const steps: Step[] = [{ at: root, child: first, content: undefined }];
    let waitingBytes = 0;
    for (let step = steps.at(-1); step !== undefined; step = steps.at(-1)) {
      const { child } = step;
      if (child === none) {
        waitingBytes -= step.content?.length ?? 0;
        steps.pop();
        continue;
      }
      step.child = this.#nextSibling[child] as number;
      if (this.#entries.types[child] !== 0) continue;
      if (step.content === undefined) {
        step.content = this.#remake(steps);
        waitingBytes += step.content.length;
      }
      const content = this.#entries.applyTo(step.content, child);
      this.#onMade(child, type, content);
      this.#linkWaiting(child);
      const next = this.#firstChild.get(child);
      if (next === undefined) continue;
      if (steps.length > chainMax) throw new PackError(`pack has a delta chain of more than ${chainMax}`);
      steps.push({ at: child, child: next, content });
      waitingBytes = forgetOldest(steps, waitingBytes + content.length);
    }
  }

  #wait(base: string, at: number): void {
    const others = this.#waiting.get(base);
    if (others === undefined) this.#waiting.set(base, [at]);
    else others.push(at);
  }

  #link(base: number, delta: number): void {
    this.#nextSibling[delta] = this.#firstChild.get(base) ?? none;
    this.#firstChild.set(base, delta);
  }

  /** Links the deltas that waited for the id of an object. */
  #linkWaiting(at: number): void {
    if (this.#waiting.size === 0) return;
    const oid = hexOf(this.#entries.oids, at * oidBytes);
    for (const delta of this.#waiting.get(oid) ?? []) this.#link(at, delta);
    this.#waiting.delete(oid);
  }

  /** Makes the content of the last step again, from the nearest one that has its own. */
  #remake(steps: readonly Step[]): Buffer {
    const from = steps.findLastIndex(({ content }) => content !== undefined);
    let content = steps[from]?.content ?? this.#entries.inflate((steps[0] as Step).at);
    for (const { at } of steps.slice(Math.max(from, 0) + 1)) content = this.#entries.applyTo(content, at);
    return content;
  }
}

/** Drops contents from the root on until few enough bytes wait. Returns how many do. */
function forgetOldest(steps: readonly Step[], waitingBytes: number): number {
  let bytes = waitingBytes;
  for (const each of steps.slice(0, -1)) {
    if (bytes <= waitingBytesMax) break;
    bytes -= each.content?.length ?? 0;
    each.content = undefined;
  }
  return bytes;
}
