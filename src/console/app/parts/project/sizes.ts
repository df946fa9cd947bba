import { bytesText } from "../moment.tsx";

/** Returns the storage of a group or project in one line: the total, and each kind that is not zero. */
export function sizesText(statistics: Readonly<Record<string, number>> | undefined): string {
  if (statistics === undefined) return "not shown";
  const { storage_size: all = 0, commit_count: _, ...kinds } = statistics;
  const parts = Object.entries(kinds)
    .filter(([, bytes]) => bytes > 0)
    .map(([name, bytes]) => `${name.replace(/_size$/, "").replaceAll("_", " ")} ${bytesText(bytes)}`);
  return parts.length === 0 ? bytesText(all) : `${bytesText(all)}: ${parts.join(", ")}`;
}
