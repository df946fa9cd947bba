import type { Operation } from "../../modules/kernel/operation.ts";

/** Matches the start of a path with the unencoded path of a project or group. */
const plain = /^\/?(?:api\/v4\/)?(?=(?:projects|groups)\/(?!\d+\/)[^/%?]+\/)/;

/** True when the path has an unencoded path of a project or group. */
export function isPlainPath(path: string): boolean {
  return plain.test(path);
}

/**
 * Encodes the slashes inside parameters: `projects/skylark/firmware/anemometer/issues` becomes
 * `/projects/skylark%2Ffirmware%2Fanemometer/issues`. Returns a path that matches no operation unchanged.
 */
export function encodePlainPath(operations: readonly Operation[], method: string, given: string): string {
  const [prefix] = plain.exec(given) ?? [];
  if (prefix === undefined) return given;
  const [, path = "", rest = ""] = /^([^?#]*)(.*)$/s.exec(`/${given.slice(prefix.length)}`) ?? [];
  const fitting = operations.flatMap((operation) => {
    const isWanted = operation.method === (method === "HEAD" ? "GET" : method);
    const encoded = isWanted ? encodedFor(operation, path) : undefined;
    return encoded === undefined ? [] : [{ encoded, words: wordsOf(operation) }];
  });
  const [best] = fitting.toSorted((one, other) => other.words - one.words);
  return best === undefined ? given : `${best.encoded}${rest}`;
}

/** Returns the fixed segments of a path. The match with the most is the best. */
function wordsOf({ path }: Operation): number {
  return path.split("/").filter((word) => /^\w/.test(word)).length;
}

function encodedFor({ path: declared }: Operation, path: string): string | undefined {
  const pattern = declared
    .replaceAll(".", "\\.")
    // A project is always in a namespace.
    .replace(/^\/projects\/:id(?=\/|$)/, "/projects/(?<id>[^/]+(?:/[^/]+)+)")
    .replace(/[*:]([a-z_]+)/g, "(?<$1>.+)");
  const groups = new RegExp(`^${pattern}(?<ending>\\.json)?$`).exec(path)?.groups;
  if (groups === undefined) return undefined;
  const filled = declared.replace(/([*:])([a-z_]+)/g, (_, kind: string, name: string) => {
    const value = groups[name] ?? "";
    return kind === "*" ? value : value.replaceAll("/", "%2F");
  });
  return `${filled}${groups.ending ?? ""}`;
}
