const [quote, backslash] = [0x22, 0x5c];
const [openArray, closeArray, openHash, closeHash] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * True when arrays and hashes of a JSON text nest deeper than `levels`. Counts in the bytes, before parsing: the parser
 * takes half a second for some megabytes of brackets.
 */
export function nestsDeeper(json: Uint8Array, levels: number): boolean {
  let depth = 0;
  for (let at = 0; at < json.length; at += 1) {
    switch (json[at]) {
      case quote:
        at += 1;
        while (at < json.length && json[at] !== quote) at += json[at] === backslash ? 2 : 1;
        break;
      case openArray:
      case openHash:
        depth += 1;
        if (depth > levels) return true;
        break;
      case closeArray:
      case closeHash:
        depth -= 1;
        break;
    }
  }
  return false;
}
