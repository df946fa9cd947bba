/** The entries of a tree in the order of git, which two trees are compared in: none of them is held as a whole. */

import { oidBytes } from "./oid-table.ts";

const space = 0x20;
const slash = 0x2f;

/** One entry of a tree after the other, as places in its bytes: `MODE NAME\0ID`. */
export class TreeCursor {
  readonly content: Buffer;
  #start = 0;
  #nameStart = 0;
  #nameEnd = 0;
  kind: "tree" | "blob" | "commit" = "blob";

  constructor(content: Buffer) {
    this.content = content;
  }

  /** Goes to the next entry; false at the end. Throws for a tree that is damaged. */
  next(): boolean {
    const { content } = this;
    if (this.#start >= content.length) return false;
    const end = content.indexOf(space, this.#start);
    this.#nameStart = end + 1;
    this.#nameEnd = content.indexOf(0, this.#nameStart);
    if (end === -1 || this.#nameEnd === -1 || this.#nameEnd + oidBytes >= content.length) {
      throw new Error("a tree of a repository is damaged");
    }
    this.kind = kindOf(content.toString("latin1", this.#start, end));
    this.#start = this.#nameEnd + 1 + oidBytes;
    return true;
  }

  /** The id of the entry, as a view. */
  get oid(): Uint8Array {
    return this.content.subarray(this.#nameEnd + 1, this.#nameEnd + 1 + oidBytes);
  }

  /** Below zero when this entry is before another one. A folder is where its name and a slash would be. */
  compare(other: TreeCursor): number {
    const [own, their] = [this.#nameEnd - this.#nameStart, other.#nameEnd - other.#nameStart];
    const length = Math.min(own, their);
    const order = this.content.compare(
      other.content,
      other.#nameStart,
      other.#nameStart + length,
      this.#nameStart,
      this.#nameStart + length,
    );
    return order === 0 ? this.#byteAt(length) - other.#byteAt(length) : order;
  }

  #byteAt(at: number): number {
    if (this.#nameStart + at < this.#nameEnd) return this.content[this.#nameStart + at] as number;
    return this.kind === "tree" ? slash : 0;
  }
}

/** By a mode of six digits: 040000 is a tree, 160000 a commit; older programs left out the zero. */
function kindOf(mode: string): TreeCursor["kind"] {
  const whole = mode.padStart(6, "0");
  return whole === "040000" ? "tree" : whole === "160000" ? "commit" : "blob";
}

/** A tree whose entries are looked for in the order in which another tree has them. */
export class FollowedTree {
  readonly #cursor: TreeCursor;
  #isAtEnd: boolean;

  constructor(content: Buffer) {
    this.#cursor = new TreeCursor(content);
    this.#isAtEnd = !this.#cursor.next();
  }

  /** The id of the entry that has the name and the kind of one; undefined when there is none. */
  find(entry: TreeCursor): Uint8Array | undefined {
    let order = -1;
    while (!this.#isAtEnd) {
      order = this.#cursor.compare(entry);
      if (order >= 0) break;
      this.#isAtEnd = !this.#cursor.next();
    }
    return order === 0 ? this.#cursor.oid : undefined;
  }
}
