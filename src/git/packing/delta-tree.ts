import { chainMax, type MadeBytes, PackError } from "./limits.ts";
import { hexOf, oidBytes } from "./oid-table.ts";
import type { PackEntries } from "./pack-entries.ts";
import { type Content, freeContent, type Scratch, ScratchContent } from "./scratch.ts";

const none = -1;
/** Bytes of contents in memory that wait for the deltas that are made from them; others go to a file. */
const waitingBytesMax = 32 << 20;
/** Smaller ones are made again. */
const spilledBytesMin = 64 << 10;
/** Bytes that wait in the file; more are made again. */
const spilledBytesMax = 4 * 1024 ** 3;

/** The deltas behind an object. */
export interface DeltaChain {
  readonly depth: number;
  /** Bytes that all of them make. */
  readonly bytes: number;
  /** Bytes of the largest base, delta or result. */
  readonly largestPart: number;
}

/** An object that was made from a delta. */
export interface MadeObject {
  readonly at: number;
  /** The number that packs have for its type. */
  readonly type: number;
  readonly content: Content;
  readonly chain: DeltaChain;
}

/** An object in the way to the deltas that are made from it. */
interface Step {
  readonly at: number;
  readonly chain: DeltaChain;
  /** The next delta of it. */
  child: number;
  /** undefined: made again when it is needed. */
  content: Content | undefined;
}

/** The deltas of a pack by the objects that they change. */
export class DeltaTree {
  readonly #entries: PackEntries;
  readonly #scratch: Scratch;
  readonly #made: MadeBytes;
  readonly #onMade: (made: MadeObject) => Promise<void> | undefined;
  /** First delta that is made from an object, by its place, and the next one of the same base. */
  readonly #firstChild = new Map<number, number>();
  readonly #nextSibling: Int32Array;
  /** Deltas by the ids of their bases. */
  readonly #waiting = new Map<string, number[]>();

  /** Throws `PackError` for a delta of an offset at which no entry begins. */
  constructor(
    entries: PackEntries,
    { scratch, made }: { readonly scratch: Scratch; readonly made: MadeBytes },
    onMade: (made: MadeObject) => Promise<void> | undefined,
  ) {
    this.#entries = entries;
    this.#scratch = scratch;
    this.#made = made;
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

  /**
   * Ids that deltas are made from and that no object of the pack has yet, in the order of those deltas. git writes a base before
   * what is made from it: so none comes before one that it is made from itself.
   */
  get missingBases(): readonly string[] {
    const first = [...this.#waiting].map(([base, deltas]) => ({ base, at: deltas.at(-1) as number }));
    return first.sort((one, other) => one.at - other.at).map(({ base }) => base);
  }

  /** Makes all deltas of an object, and theirs, without recursion. undefined: there are none. */
  makeFrom(root: number): Promise<void> | undefined {
    this.#linkWaiting(root);
    const first = this.#firstChild.get(root);
    return first === undefined ? undefined : this.#makeFrom(root, first);
  }

  async #makeFrom(root: number, first: number): Promise<void> {
    const type = this.#entries.types[root] as number;
    const chain = { depth: 0, bytes: 0, largestPart: 0 };
    const steps: Step[] = [{ at: root, chain, child: first, content: undefined }];
    for (let step = steps.at(-1); step !== undefined; step = steps.at(-1)) {
      const { child } = step;
      if (child === none) {
        freeContent(step.content);
        steps.pop();
        continue;
      }
      step.child = this.#nextSibling[child] as number;
      if (this.#entries.types[child] !== 0) continue;
      step.content ??= await this.#remake(steps);
      const { content, part } = await this.#apply(step.content, child, type);
      const made = chainBehind(step.chain, content.length, part);
      const noted = this.#onMade({ at: child, type, content, chain: made });
      if (noted !== undefined) await noted;
      this.#linkWaiting(child);
      const next = this.#firstChild.get(child);
      if (next === undefined) {
        freeContent(content);
        continue;
      }
      if (steps.length > chainMax) throw new PackError(`pack has a delta chain of more than ${chainMax}`);
      steps.push({ at: child, chain: made, child: next, content });
      this.#spillOldest(steps);
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

  async #apply(
    base: Content,
    delta: number,
    type: number,
  ): Promise<{ readonly content: Content; readonly part: number }> {
    const small = this.#entries.applyHeld(base, delta, type);
    const applied = small ?? (await this.#entries.applyToFile(base, delta, type, this.#scratch));
    this.#made.add(applied.content.length);
    return applied;
  }

  /** Makes the content of the last step again, from the nearest one that has its own. */
  async #remake(steps: readonly Step[]): Promise<Content> {
    const from = steps.findLastIndex(({ content }) => content !== undefined);
    const [root] = steps as [Step];
    const type = this.#entries.types[root.at] as number;
    let content = steps[from]?.content ?? (await this.#entries.unpack(root.at, this.#scratch));
    let isOwn = from === -1;
    for (const { at } of steps.slice(Math.max(from, 0) + 1)) {
      const next = await this.#apply(content, at, type);
      if (isOwn) freeContent(content);
      content = next.content;
      isOwn = true;
    }
    return content;
  }

  /** Moves contents to the file, from the root on, until few enough bytes wait in memory. */
  #spillOldest(steps: readonly Step[]): void {
    const held = ({ content }: Step) => (content instanceof Buffer ? content.length : 0);
    let bytes = 0;
    for (const step of steps) bytes += held(step);
    for (const step of steps.slice(0, -1)) {
      const { content } = step;
      if (bytes > waitingBytesMax && content instanceof Buffer) {
        bytes -= content.length;
        step.content = this.#spilled(content);
      } else if (this.#scratch.bytes > spilledBytesMax && content instanceof ScratchContent) {
        freeContent(content);
        step.content = undefined;
      }
    }
  }

  #spilled(content: Buffer): Content | undefined {
    if (content.length < spilledBytesMin || this.#scratch.bytes + content.length > spilledBytesMax) return undefined;
    const writer = this.#scratch.begin();
    writer.add(content);
    return writer.finish();
  }
}

function chainBehind({ depth, bytes, largestPart }: DeltaChain, madeBytes: number, part: number): DeltaChain {
  return { depth: depth + 1, bytes: bytes + madeBytes, largestPart: Math.max(largestPart, part) };
}
