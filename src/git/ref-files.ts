import { readFileSync, statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { ifThere } from "./durable.ts";
import { PackedRefFiles } from "./packed-refs.ts";

/** A file of one ref has 41 bytes. */
const smallBytesMax = 4_096;

/** Files that are remembered. */
const filesMax = 1_024;

/**
 * The files of single refs and `HEAD`s of all repositories, as they were read in this second. What another program changes shows
 * in the next second.
 */
export class RefFiles {
  /** By path; undefined for a file that is not there. */
  readonly #texts = new Map<string, string | undefined>();
  readonly #changing = new Set<string>();
  readonly packed = new PackedRefFiles();
  #second = -1;

  /** The text of a file; undefined where there is none. */
  async read(path: string): Promise<string | undefined> {
    const second = Math.floor(performance.now() / 1000);
    if (second !== this.#second || this.#texts.size >= filesMax) this.forgetAll();
    this.#second = second;
    const known = this.#texts.get(path);
    if (known !== undefined || this.#texts.has(path)) return known;
    if (this.#changing.has(path)) return readIfThere(path);
    // At the instant of reading: a file that changes later is forgotten later.
    return readIfThere(path, (text) => this.#texts.set(path, text));
  }

  /**
   * Runs the work of the only writer of a file. Until it is done the file is read each time: lists of refs, which are never
   * remembered, show the change from its first instant on.
   */
  async change(path: string, work: () => Promise<void>): Promise<void> {
    this.#texts.delete(path);
    this.#changing.add(path);
    try {
      await work();
    } finally {
      this.#changing.delete(path);
    }
  }

  forgetAll(): void {
    this.#texts.clear();
  }
}

/**
 * The text of a file; undefined where there is none. A small one is read here: another thread takes ten times as long, and
 * twenty times as long to say that there is none. `keep` gets what was found here.
 */
export function readIfThere(
  path: string,
  keep: (text: string | undefined) => void = () => undefined,
): Promise<string | undefined> {
  return ifThere(
    Promise.try(() => {
      const found = statSync(path, { throwIfNoEntry: false });
      const isFile = found?.isFile() === true;
      if (isFile && found.size > smallBytesMax) return readFile(path, "utf8");
      // Reading a pipe would wait for a program that writes to it.
      const text = isFile ? readFileSync(path, "utf8") : undefined;
      keep(text);
      return text;
    }),
  );
}
