import { NumberStream } from "../lib/randomness.ts";

/** Reproducible random choices, with a stream per name, so that changes in one area do not affect others. */
export class SeededRandom {
  readonly #stream: NumberStream;

  constructor(seed: number, name: string) {
    this.#stream = new NumberStream(Bun.hash.crc32(`${seed} ${name}`));
  }

  /** Returns a number from 0 to 1, exclusive. */
  fraction(): number {
    return this.#stream.fraction();
  }

  /** Returns an integer between two bounds, inclusive. */
  integer(from: number, to: number): number {
    return from + Math.floor(this.fraction() * (to - from + 1));
  }

  /** True with this probability, from 0 to 1. */
  chance(share: number): boolean {
    return this.fraction() < share;
  }

  pick<T>(from: readonly T[]): T {
    const at = Math.floor(this.fraction() * from.length);
    return from[at] as T;
  }

  /** Returns `count` different items in their order. */
  some<T>(from: readonly T[], count: number): T[] {
    const taken = new Set<number>();
    while (taken.size < Math.min(count, from.length)) taken.add(this.integer(0, from.length - 1));
    return [...taken].sort((one, other) => one - other).map((at) => from[at] as T);
  }

  /** Returns one of the keys, with these weights. */
  weighted<K extends string>(weights: Readonly<Record<K, number>>): K {
    const entries = Object.entries(weights) as [K, number][];
    let left = this.fraction() * entries.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [key, weight] of entries) {
      left -= weight;
      if (left < 0) return key;
    }
    return (entries.at(-1) as [K, number])[0];
  }

  /** Replaces each `{list}` of a template with a word of the list; `{Word}` capitalises a word of the list `word`. */
  phrase(template: string, words: Readonly<Record<string, readonly string[]>>): string {
    return template.replaceAll(/\{(\w+)\}/g, (whole, name: string) => {
      const list = words[name] ?? words[name.charAt(0).toLowerCase() + name.slice(1)];
      if (list === undefined) return whole;
      const word = this.pick(list);
      return words[name] === undefined ? word.charAt(0).toUpperCase() + word.slice(1) : word;
    });
  }

  /** Returns `count` characters of an alphabet. */
  characters(alphabet: string, count: number): string {
    let text = "";
    for (let n = 0; n < count; n += 1) text += alphabet[this.integer(0, alphabet.length - 1)];
    return text;
  }
}
