import { bytesText } from "../moment.tsx";

/** Bytes of a group or project in one line: all together, and each kind that has some. */
export function sizesText(statistics: Readonly<Record<string, number>> | undefined): string {
  if (statistics === undefined) return "not shown";
  const { storage_size: all = 0, commit_count: _, ...kinds } = statistics;
  const parts = Object.entries(kinds)
    .filter(([, bytes]) => bytes > 0)
    .map(([name, bytes]) => `${name.replace(/_size$/, "").replaceAll("_", " ")} ${bytesText(bytes)}`);
  return parts.length === 0 ? bytesText(all) : `${bytesText(all)}: ${parts.join(", ")}`;
}
