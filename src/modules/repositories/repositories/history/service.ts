import type { Caller } from "../../../../domain/caller.ts";
import { invalid, notFound } from "../../../../domain/failure.ts";
import { type Page, type PageRequest, pageOfAll } from "../../../../domain/page.ts";
import { requestPace } from "../../../../domain/work-budget.ts";
import { type Commit, mergeBases } from "../../../../git/index.ts";
import { compareText } from "../../../../lib/text/unicode.ts";
import type { ProjectRecord } from "../../../groups-and-projects/projects/records.ts";
import type { Context } from "../../../kernel/context.ts";
import { commitAt } from "../files/service-read.ts";
import { readRepository } from "../service-repository-access.ts";

/** `GET .../merge_base`. Throws 400 for refs that are not there, 403, 404 `Merge Base Not Found`, and `OverBudget`. */
export function getMergeBase(
  context: Context,
  caller: Caller,
  project: ProjectRecord,
  refs: readonly string[],
): Promise<Commit> {
  return readRepository(context, caller, project, async (repository) => {
    if (refs.length < 2) throw invalid("Provide at least 2 refs");
    const commits: Commit[] = [];
    const unknown: string[] = [];
    for (const ref of refs) {
      const commit = await repository.resolve(ref);
      if (commit === undefined) unknown.push(ref);
      else commits.push(commit);
    }
    if (unknown.length > 0)
      throw invalid(`Could not find ref${unknown.length === 1 ? "" : "s"}: ${unknown.join(", ")}`);
    const [base] = await mergeBases(repository, commits.slice(0, 1), commits.slice(1));
    if (base === undefined) throw notFound("Merge Base");
    return base;
  });
}

/** The author of some commits. */
export interface FoundContributor {
  readonly name: string;
  readonly email: string;
  readonly commits: number;
}

interface ContributorOrder {
  readonly ref?: string | undefined;
  readonly orderBy: "commits" | "name" | "email";
  readonly sort: "asc" | "desc";
}

/** Commits whose authors are counted: the newest ones that are no merges. */
const commitsMax = 2_000;

/** `GET .../contributors`. Throws 403, 404, and `OverBudget`. */
export function listContributors(
  context: Context,
  caller: Caller,
  project: ProjectRecord,
  { ref, orderBy, sort }: ContributorOrder,
  page: PageRequest,
): Promise<Page<FoundContributor>> {
  return readRepository(context, caller, project, async (repository) => {
    const head = await commitAt(repository, project, ref);
    if (head === undefined) return pageOfAll<FoundContributor>([], page);
    const byEmail = new Map<string, FoundContributor>();
    let counted = 0;
    for await (const { author, parent } of repository.history([head], { pace: requestPace() })) {
      if (parent.length > 1) continue;
      const { name, commits } = byEmail.get(author.email) ?? { name: author.name, commits: 0 };
      byEmail.set(author.email, { name, email: author.email, commits: commits + 1 });
      counted += 1;
      if (counted === commitsMax) break;
    }
    const found = [...byEmail.values()].sort(orders[orderBy]);
    return pageOfAll(sort === "asc" ? found : found.reverse(), page);
  });
}

const orders = {
  commits: (one: FoundContributor, other: FoundContributor) => one.commits - other.commits,
  name: (one: FoundContributor, other: FoundContributor) =>
    compareText(one.name.toLowerCase(), other.name.toLowerCase()),
  email: (one: FoundContributor, other: FoundContributor) =>
    compareText(one.email.toLowerCase(), other.email.toLowerCase()),
};
