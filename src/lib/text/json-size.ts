const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const [openArray, closeArray, openHash, closeHash] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Limits on the shape of a JSON text. */
export interface JsonLimits {
  /** The most nested arrays and objects. */
  readonly levels: number;
  /** The most arrays, objects and other values together. */
  readonly values?: number;
}

/** The largest number of values in a JSON body of parameters. */
const usualValuesMax = 100_000;

/**
 * True when a JSON text exceeds the limits. It counts before parsing, since the parser takes half a second for some
 * megabytes of brackets or keys.
 */
export function isJsonBeyond(json: Uint8Array, { levels, values: valuesMax = usualValuesMax }: JsonLimits): boolean {
  let depth = 0;
  let values = 1;
  for (let at = 0; at < json.length; at += 1) {
    switch (json[at]) {
      case quote:
        at += 1;
        while (at < json.length && json[at] !== quote) at += json[at] === backslash ? 2 : 1;
        break;
      case comma:
        values += 1;
        break;
      case openArray:
      case openHash:
        depth += 1;
        if (json[at + 1] !== closeArray && json[at + 1] !== closeHash) values += 1;
        if (depth > levels) return true;
        break;
      case closeArray:
      case closeHash:
        depth -= 1;
        break;
    }
    if (values > valuesMax) return true;
  }
  return false;
}
