/** The reader of dotenv reports, whose variables later jobs get. */

import { gunzipSync } from "node:zlib";
import { invalid } from "../../../domain/failure.ts";

/** A variable of a report. */
export interface DotenvVariable {
  readonly key: string;
  readonly value: string;
}

/** A report must be smaller. */
const bytesLimit = 5120;
const unpackedBytesMax = 1024 * 1024;
const variablesMax = 20;
const keyLengthMax = 255;

/** `KEY=value` line by line, packed with gzip. Values are taken as they stand. Throws 400. */
export function readDotenv(packed: Uint8Array): DotenvVariable[] {
  if (packed.byteLength >= bytesLimit) throw invalid(`Dotenv Artifact Too Big. Maximum Allowable Size: ${bytesLimit}`);
  const variables = new Map<string, string>();
  for (const line of textOf(unpack(packed)).split(/(?<=\n)/)) {
    const at = line.indexOf("=");
    if (line === "") continue;
    if (at === -1 || line.includes("\0")) throw invalid("Invalid Format");
    variables.set(keyOf(line.slice(0, at).trim()), line.slice(at + 1).trim());
  }
  if (variables.size > variablesMax) throw invalid(`Dotenv files cannot have more than ${variablesMax} variables`);
  return [...variables].map(([key, value]) => ({ key, value }));
}

function unpack(packed: Uint8Array): Uint8Array {
  try {
    return gunzipSync(packed, { maxOutputLength: unpackedBytesMax });
  } catch {
    throw invalid("Invalid Format");
  }
}

/** Shells of Windows write UTF-16, with a mark in front. */
function textOf(bytes: Uint8Array): string {
  return new TextDecoder(bytes[0] === 0xff && bytes[1] === 0xfe ? "utf-16le" : "utf-8").decode(bytes);
}

/** Throws 400 for what no shell knows as a name. */
function keyOf(key: string): string {
  const faults = [
    ...(key === "" ? ["can't be blank"] : []),
    ...(key.length > keyLengthMax ? [`is too long (maximum is ${keyLengthMax} characters)`] : []),
    ...(/^\w+$/.test(key) ? [] : ["can contain only letters, digits and '_'."]),
  ];
  if (faults.length > 0) throw invalid(`Validation failed: ${faults.map((fault) => `Key ${fault}`).join(", ")}`);
  return key;
}
