import { createReadStream } from "node:fs";

/** Yields the lines of a file. Only `\n` ends a line, since JSON texts may have Unicode's other line separators. */
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
