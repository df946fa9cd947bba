/** Texts that git shows after a push that changed something (git-over-http 7). */

import type { SignedInCaller } from "../../../domain/caller.ts";
import { projectPathOf } from "../../core/namespaces/index.ts";
import type { ProjectRecord } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import { serviceKey } from "../../kernel/service.ts";

const createdMax = 10_000;

/** Projects that pushes made, until the pushers are told. A pusher who is never told still sees the project. */
class ProjectsMadeByPush {
  readonly #made = new Set<string>();

  add({ user }: SignedInCaller, { id }: ProjectRecord): void {
    const [oldest] = this.#made;
    if (this.#made.size >= createdMax && oldest !== undefined) this.#made.delete(oldest);
    this.#made.add(`${user.id} ${id}`);
  }

  /** Whether the caller's push made the project; true only once. */
  take({ user }: SignedInCaller, { id }: ProjectRecord): boolean {
    return this.#made.delete(`${user.id} ${id}`);
  }
}

export const MadeByPush = serviceKey("made-by-push", () => new ProjectsMadeByPush());

interface Pushed {
  readonly caller: SignedInCaller;
  readonly project: ProjectRecord;
  /** The path that the client used. */
  readonly path: string;
  readonly baseUrl: string;
}

/** Lines about the address of a repository that took a push. */
export function addressNotices(context: Context, { caller, project, path, baseUrl }: Pushed): string[] {
  const fullPath = projectPathOf(context.store, project);
  const address = `${baseUrl}/${fullPath}`;
  if (context.get(MadeByPush).take(caller, project)) {
    return [
      ...["", `The private project ${fullPath} was successfully created.`, ""],
      ...["To configure the remote, run:", `  git remote add origin ${address}.git`, ""],
      ...["To view the project, visit:", `  ${address}`, ""],
    ];
  }
  if (path.toLowerCase() === fullPath.toLowerCase()) return [];
  return [
    ...["", `Project '${path}' was moved to '${fullPath}'.`, ""],
    ...["Please update your Git remote:", `  git remote set-url origin ${address}.git`, ""],
  ];
}
