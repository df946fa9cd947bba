import type { Upload } from "../../domain/parameters.ts";

/** The parameters in the path of a request, by their names or places. */
export type PathValues = Readonly<Record<string, string>>;

/** The parameters of a request before anyone looked at what the operation declares. Without a prototype. */
export interface RawValues {
  [name: string]: RawValue;
}

export type RawValue = string | number | boolean | null | FilePart | RawValue[] | RawValues;

/** A file part of a multipart body; a class, so that no JSON body can pass for one. */
export class FilePart implements Upload {
  readonly filename: string;
  readonly bytes: Uint8Array;

  constructor(upload: Upload) {
    this.filename = upload.filename;
    this.bytes = upload.bytes;
  }
}

/** No parameters. Names such as `__proto__` and `constructor` are ordinary ones in it. */
export function emptyValues(): RawValues {
  return Object.create(null);
}

/** Query string, then body over it (rest-conventions 2.2). */
export function mergeValues(query: RawValues, body: RawValues): RawValues {
  return Object.assign(emptyValues(), query, body);
}

export function isHash(value: RawValue | undefined): value is RawValues {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof FilePart);
}

/** A member of the hash itself; hashes from JSON inherit members of the prototype. */
export function ownValue(hash: RawValues, name: string): RawValue | undefined {
  return Object.hasOwn(hash, name) ? hash[name] : undefined;
}
