import type { Upload } from "../../domain/parameters.ts";

/** The path parameters of a request, by name or position. */
export type PathValues = Readonly<Record<string, string>>;

/** The raw parameters of a request. The object has no prototype. */
export interface RawValues {
  [name: string]: RawValue;
}

export type RawValue = string | number | boolean | null | FilePart | RawValue[] | RawValues;

/** A file part of a multipart body. It is a class, so that no JSON body can imitate one. */
export class FilePart implements Upload {
  readonly filename: string;
  readonly bytes: Uint8Array;

  constructor(upload: Upload) {
    this.filename = upload.filename;
    this.bytes = upload.bytes;
  }
}

/** Returns an object without a prototype, so that `__proto__` and `constructor` are ordinary names. */
export function emptyValues(): RawValues {
  return Object.create(null);
}

/** Merges the parameters. Those of the body win over those of the query (rest-conventions 2.2). */
export function mergeValues(query: RawValues, body: RawValues): RawValues {
  return Object.assign(emptyValues(), query, body);
}

export function isHash(value: RawValue | undefined): value is RawValues {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof FilePart);
}

/** Returns an own member of the hash; hashes from JSON inherit members of the prototype. */
export function ownValue(hash: RawValues, name: string): RawValue | undefined {
  return Object.hasOwn(hash, name) ? hash[name] : undefined;
}
