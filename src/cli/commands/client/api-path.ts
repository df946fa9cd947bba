import { encodePlainPath, isPlainPath } from "../../../http/entry/plain-path.ts";

/** The path with the slashes of its project or group encoded; one that no operation fits stays as it is. */
export async function encodedPath(method: string, given: string): Promise<string> {
  if (!isPlainPath(given)) return given;
  // The table takes a while to load.
  const { operations } = await import("../../../modules/operations.ts");
  return encodePlainPath(operations, method, given);
}
