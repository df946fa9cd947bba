import { NumberStream } from "../lib/randomness.ts";

/** Reproducible random choices, a stream for each name: draws in one area change nothing in the others. */
export class SeededRandom {
  readonly #stream: NumberStream;

  constructor(seed: number, name: string) {
    this.#stream = new NumberStream(Bun.hash.crc32(`${seed} ${name}`));
  }

  /** Returns a number from 0 up to, not including, 1. */
  fraction(): number {
    return this.#stream.fraction();
  }

  /** Returns a number from `from` to `to`, both included. */
  integer(from: number, to: number): number {
    return from + Math.floor(this.fraction() * (to - from + 1));
  }

  /** Whether something happens that happens so often, from 0 to 1. */
  chance(share: number): boolean {
    return this.fraction() < share;
  }

  pick<T>(from: readonly T[]): T {
    const at = Math.floor(this.fraction() * from.length);
    return from[at] as T;
  }

  /** Returns `count` of them, each once, in their order. */
  some<T>(from: readonly T[], count: number): T[] {
    const taken = new Set<number>();
    while (taken.size < Math.min(count, from.length)) taken.add(this.integer(0, from.length - 1));
    return [...taken].sort((one, other) => one - other).map((at) => from[at] as T);
  }

  /** One of the keys, each as often as its number says. */
  weighted<K extends string>(weights: Readonly<Record<K, number>>): K {
    const entries = Object.entries(weights) as [K, number][];
    let left = this.fraction() * entries.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [key, weight] of entries) {
      left -= weight;
      if (left < 0) return key;
    }
    return (entries.at(-1) as [K, number])[0];
  }

  /** A template with a word of its list in the place of each `{list}`; `{Word}` takes the list `word` and a capital. */
  phrase(template: string, words: Readonly<Record<string, readonly string[]>>): string {
    return template.replaceAll(/\{(\w+)\}/g, (whole, name: string) => {
      const list = words[name] ?? words[name.charAt(0).toLowerCase() + name.slice(1)];
      if (list === undefined) return whole;
      const word = this.pick(list);
      return words[name] === undefined ? word.charAt(0).toUpperCase() + word.slice(1) : word;
    });
  }

  /** `count` characters of an alphabet. */
  characters(alphabet: string, count: number): string {
    let text = "";
    for (let n = 0; n < count; n += 1) text += alphabet[this.integer(0, alphabet.length - 1)];
    return text;
  }
}
