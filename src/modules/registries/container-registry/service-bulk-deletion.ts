import type { Caller, SignedInCaller } from "../../../domain/caller.ts";
import { Failure, invalid } from "../../../domain/failure.ts";
import { type DateTime, toDateTime } from "../../../lib/datetime.ts";
import { durationMsOf } from "../../ci/pipelines/index.ts";
import { countJobsOf, enqueueJob, type JobKind, jobKind, type LongWork } from "../../core/background-jobs/index.ts";
import { findUser } from "../../core/users/index.ts";
import type { Context } from "../../kernel/context.ts";
import { RemovalBudget } from "../../kernel/removal.ts";
import { recordTagsDeleted } from "./audit.ts";
import {
  type ContainerRepositoryRecord,
  type ContainerTagRecord,
  containerRepositories,
  containerTags,
} from "./records.ts";
import type { TagsToDelete } from "./schema.ts";
import { removeTag } from "./service-references.ts";
import { tagPatternOf } from "./tag-pattern.ts";

/** Never changes: stores hold it. */
const bulkDeletionKind = "container_tags_deletion";

/** Deletions of one user that wait: those of others wait behind them. */
const waitingMax = 5;
/** Tags that one step looks at, or takes. */
const stepMax = 50;
/** The tag that no bulk deletion removes, as in the real system. */
const lastingTag = "latest";
const centuryMs = 36_500 * 86_400_000;
const hourMs = 3_600_000;

interface Payload {
  readonly repository_id: number;
  readonly user_id: number;
  readonly ip_address: string | null;
  /** Patterns for whole names. */
  readonly taken: string;
  readonly kept: string | null;
  readonly keep_n: number;
  /** Tags that were pushed later stay. */
  readonly before: DateTime;
}

/** `DELETE …/tags`: a job removes them. Throws 400 for what is no pattern and no time, and within an hour of the last one; 429. */
export function deleteTags(
  context: Context,
  caller: SignedInCaller,
  repository: ContainerRepositoryRecord,
  { name_regex, name_regex_delete, name_regex_keep, keep_n, older_than }: TagsToDelete,
): void {
  const ageMs = older_than ? ageOf(older_than) : 0;
  if (ageMs === undefined) throw refused("older_than is invalid");
  for (const [name, source] of Object.entries({ name_regex_delete, name_regex, name_regex_keep })) {
    if (source && tagPatternOf(source) === undefined) throw refused(`${name} is an invalid regexp`);
  }
  const payload: Payload = {
    repository_id: repository.id,
    user_id: caller.user.id,
    ip_address: caller.ipAddress,
    taken: name_regex_delete ?? name_regex ?? "",
    kept: name_regex_keep || null,
    keep_n: keep_n ?? 0,
    // Tags that are pushed from now on are not deleted.
    before: toDateTime(context.clock.now() - ageMs),
  };
  requireLastLongAgo(context, repository);
  const { id: user_id } = caller.user;
  if (countJobsOf(context.store, user_id, bulkDeletionKind) >= waitingMax) {
    const message = `429 Too Many Requests - ${waitingMax} deletions of tags that this user asked for still wait`;
    throw new Failure("too_many", { message }, { retryAfterSeconds: 60 });
  }
  context.store.transact((tx) => {
    tx.update(containerRepositories, { ...repository, tags_deletion_at: toDateTime(context.clock.now()) });
    enqueueJob(tx, context, { kind: bulkDeletionKind, payload, user_id });
  });
}

/** Throws 400 for a second bulk deletion within an hour. */
function requireLastLongAgo({ clock }: Context, { tags_deletion_at: last }: ContainerRepositoryRecord): void {
  if (last === undefined || clock.now() - Date.parse(last) >= hourMs) return;
  const rule = "You can run this at most once an hour for a given container repository";
  throw invalid(`This request has already been made. ${rule}`);
}

function refused(error: string): Failure {
  return new Failure("parameters", { error });
}

/** `1h`, `2 days`, `1month` → milliseconds; undefined for what says no time. */
function ageOf(text: string): number | undefined {
  if (!/^(\s*\d{1,9}\s*[a-z]+)+\s*$/i.test(text)) return undefined;
  return durationMsOf(text, centuryMs) || undefined;
}

export const containerTagsDeletion: JobKind = jobKind<Payload>({
  kind: bulkDeletionKind,
  async run(work) {
    const { context, payload, pace } = work;
    const { store } = context;
    const caller: Caller = {
      user: findUser(store, payload.user_id),
      token: undefined,
      ipAddress: payload.ip_address,
    };
    const doomed = new Map((await findDoomed(work, payload)).map((tag) => [tag.id, tag]));
    while (doomed.size > 0) {
      await pace();
      store.transact((tx) => {
        const repository = store.of(containerRepositories).get(payload.repository_id);
        const names: string[] = [];
        // A manifest that names thousands of blobs takes long for each of its tags.
        new RemovalBudget(tx, stepMax).each(
          () => doomed.keys(),
          (id) => {
            const tag = doomed.get(id) as ContainerTagRecord;
            doomed.delete(id);
            // A tag that was pushed meanwhile stays.
            if (store.of(containerTags).get(id) !== tag) return;
            removeTag(tx, context, tag);
            names.push(tag.name);
          },
        );
        if (repository !== undefined && names.length > 0) recordTagsDeleted(tx, context, caller, repository, names);
      });
    }
  },
});

/** Returns old enough tags that match the pattern for deletion and not the one for keeping, except the newest `keep_n`. */
async function findDoomed({ context: { store }, pace }: LongWork, payload: Payload): Promise<ContainerTagRecord[]> {
  const { repository_id, taken, kept, keep_n, before } = payload;
  const pattern = tagPatternOf(taken);
  const keeping = kept === null ? undefined : tagPatternOf(kept);
  if (pattern === undefined) return [];
  const matching: ContainerTagRecord[] = [];
  for (const id of [...store.of(containerTags).by.repository_id.find(repository_id)]) {
    await pace();
    const tag = store.of(containerTags).get(id);
    if (tag === undefined || tag.name === lastingTag) continue;
    if (pattern.matches(tag.name) && keeping?.matches(tag.name) !== true) matching.push(tag);
  }
  const newestFirst = matching.sort((a, b) =>
    a.updated_at === b.updated_at ? b.id - a.id : a.updated_at < b.updated_at ? 1 : -1,
  );
  return newestFirst.slice(Math.max(0, keep_n)).filter(({ updated_at }) => updated_at <= before);
}
