/** Sets and maps of object ids that take few bytes each: a repository may have millions of objects. */

export const oidBytes = 20;
const smallestSlots = 1 << 10;

/** Object ids as 20 bytes, each with a small number. Open addressing; at most half of the slots are used. */
export class OidTable {
  #slots = smallestSlots;
  #oids = new Uint8Array(smallestSlots * oidBytes);
  /** 0: the slot is free; otherwise the value plus one. */
  #values = new Uint32Array(smallestSlots);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** The value of the id at `start` of `bytes`; undefined when the table does not have it. */
  get(bytes: Uint8Array, start = 0): number | undefined {
    const value = this.#values[this.#slotOf(bytes, start)] as number;
    return value === 0 ? undefined : value - 1;
  }

  has(bytes: Uint8Array, start = 0): boolean {
    return this.#values[this.#slotOf(bytes, start)] !== 0;
  }

  /** Adds an id with a value from 0 to 2³² − 2, or changes its value. Returns whether it is new. */
  set(bytes: Uint8Array, start: number, value: number): boolean {
    if (2 * this.#size >= this.#slots) this.#grow();
    const slot = this.#slotOf(bytes, start);
    const isNew = this.#values[slot] === 0;
    if (isNew) {
      this.#size += 1;
      for (let at = 0; at < oidBytes; at += 1) this.#oids[slot * oidBytes + at] = bytes[start + at] as number;
    }
    this.#values[slot] = value + 1;
    return isNew;
  }

  /** Adds an id. Returns false when the table has it already. */
  add(bytes: Uint8Array, start = 0): boolean {
    return !this.has(bytes, start) && this.set(bytes, start, 0);
  }

  /** The ids, each valid until the next one, with their values, in no order. */
  *entries(): Generator<readonly [oid: Uint8Array, value: number]> {
    for (let slot = 0; slot < this.#slots; slot += 1) {
      const value = this.#values[slot] as number;
      if (value !== 0) yield [this.#oids.subarray(slot * oidBytes, (slot + 1) * oidBytes), value - 1];
    }
  }

  #slotOf(bytes: Uint8Array, start: number): number {
    const mask = this.#slots - 1;
    let slot = hashOf(bytes, start) & mask;
    while (this.#values[slot] !== 0 && !this.#isAt(slot, bytes, start)) slot = (slot + 1) & mask;
    return slot;
  }

  #isAt(slot: number, bytes: Uint8Array, start: number): boolean {
    for (let at = 0, own = slot * oidBytes; at < oidBytes; at += 1, own += 1) {
      if (this.#oids[own] !== bytes[start + at]) return false;
    }
    return true;
  }

  #grow(): void {
    const [oids, values, slots] = [this.#oids, this.#values, this.#slots];
    this.#slots = 2 * slots;
    this.#oids = new Uint8Array(this.#slots * oidBytes);
    this.#values = new Uint32Array(this.#slots);
    for (let from = 0; from < slots; from += 1) {
      const value = values[from] as number;
      if (value === 0) continue;
      const slot = this.#slotOf(oids, from * oidBytes);
      this.#oids.set(oids.subarray(from * oidBytes, (from + 1) * oidBytes), slot * oidBytes);
      this.#values[slot] = value;
    }
  }
}

/** Object ids one after the other, 20 bytes each. */
export class OidList {
  #bytes = new Uint8Array(smallestSlots * oidBytes);
  #length = 0;

  push(oid: Uint8Array): void {
    if (this.#length * oidBytes === this.#bytes.length) {
      const larger = new Uint8Array(2 * this.#bytes.length);
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    this.#bytes.set(oid, this.#length * oidBytes);
    this.#length += 1;
  }

  /** From the last one to the first, each as a view. */
  *reversed(): Generator<Uint8Array> {
    for (let at = this.#length - 1; at >= 0; at -= 1) yield this.#bytes.subarray(at * oidBytes, (at + 1) * oidBytes);
  }
}

/** Odd, and of this process alone: the ids in a tree are what its sender wants them to be. */
const [firstFactor = 1, secondFactor = 1] = crypto.getRandomValues(new Uint32Array(2)).map((each) => each | 1);

function hashOf(bytes: Uint8Array, start: number): number {
  const hash = Math.imul(wordAt(bytes, start), firstFactor) ^ Math.imul(wordAt(bytes, start + 4), secondFactor);
  return hash ^ (hash >>> 15);
}

function wordAt(bytes: Uint8Array, at: number): number {
  return (
    (bytes[at] as number) |
    ((bytes[at + 1] as number) << 8) |
    ((bytes[at + 2] as number) << 16) |
    ((bytes[at + 3] as number) << 24)
  );
}

export function oidOf(hex: string): Uint8Array {
  return Buffer.from(hex, "hex");
}

export function hexOf(bytes: Uint8Array, start = 0): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, oidBytes).toString("hex");
}
