import { encodePlainPath, isPlainPath } from "../../../http/entry/plain-path.ts";

/** Encodes the slashes of the project or group in a path. Returns a path that matches no operation unchanged. */
export async function encodedPath(method: string, given: string): Promise<string> {
  if (!isPlainPath(given)) return given;
  // Imported here, since the table takes a while to load.
  const { operations } = await import("../../../modules/operations.ts");
  return encodePlainPath(operations, method, given);
}
