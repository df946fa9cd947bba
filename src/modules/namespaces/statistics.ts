import type { Store, Transaction } from "../../store/index.ts";
import { type ProjectStatistics, projects } from "./projects.ts";

/** What takes up space in a project; `storage_size` is the sum of all of it. */
type Sizes = Partial<Omit<ProjectStatistics, "commit_count" | "storage_size">>;

/** Adds to the sizes of a project, in bytes; less than nothing where something goes. No error where it is gone itself. */
export function growProject(tx: Transaction, store: Store, projectId: number, sizes: Sizes): void {
  const project = store.of(projects).get(projectId);
  if (project === undefined) return;
  const { statistics = {} } = project;
  const grown: Record<string, number> = { ...statistics };
  for (const [name, bytes] of Object.entries(sizes)) {
    for (const each of [name, "storage_size"]) grown[each] = Math.max(0, (grown[each] ?? 0) + bytes);
  }
  tx.update(projects, { ...project, statistics: grown });
}
