import { createReadStream } from "node:fs";

/** The lines of a file that only `\n` ends: texts in JSON have the other separators of Unicode as they are. */
export async function* linesOf(path: string): AsyncGenerator<string, void> {
  let begun: string[] = [];
  for await (const piece of createReadStream(path, "utf8") as AsyncIterable<string>) {
    const [first = "", ...others] = piece.split("\n");
    begun.push(first);
    for (const next of others) {
      yield begun.join("");
      begun = [next];
    }
  }
  yield begun.join("");
}
