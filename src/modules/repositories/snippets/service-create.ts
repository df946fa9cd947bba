import type { Static, TObject } from "@sinclair/typebox";
import { accessLevels } from "../../../domain/access-level.ts";
import type { SignedInCaller } from "../../../domain/caller.ts";
import { forbidden } from "../../../domain/failure.ts";
import type { RepositoryPlace } from "../../../git/index.ts";
import { toDateTime } from "../../../lib/datetime.ts";
import { canSeeFeature, getProject, requireLevel } from "../../core/access/index.ts";
import { cancelJob, enqueueJob } from "../../core/background-jobs/index.ts";
import { getSpamClearance } from "../../core/spam/index.ts";
import type { ProjectRecord } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import { insertRecord } from "../../kernel/record-events.ts";
import { pickStorage, repositoryDeletion, switchRef } from "../repositories/index.ts";
import { snippetEvents } from "./events.ts";
import { applyChanges, writeFiles } from "./files.ts";
import { requireVisibility } from "./policy.ts";
import type { SnippetRecord } from "./records.ts";
import type { CreateSnippet } from "./schema.ts";
import { growStatisticsOf, ownerOf, requireValidTexts, signatureOf, submissionOf } from "./service-writing.ts";

type Parameters = Static<TObject<typeof CreateSnippet>>;

/** The age at which a repository without a snippet is removed: its process was killed between the two writes. */
const orphanMs = 3_600_000;

/**
 * `POST /snippets` and `POST /projects/:id/snippets` (storage-moves 8). Throws 403, 400 for broken rules, then what
 * `getSpamClearance` throws. The files are in the repository before there is a snippet that names them.
 */
export async function createSnippet(
  context: Context,
  caller: SignedInCaller,
  project: ProjectRecord | undefined,
  params: Parameters,
  baseUrl: string,
): Promise<SnippetRecord> {
  const { store, clock, repositories } = context;
  const { title, description = null, visibility = project === undefined ? "internal" : "private" } = params;
  const admit = () => requireCreateRight(context, caller, project);
  admit();
  requireVisibility(context, caller, visibility);
  requireValidTexts(params);
  const files = applyChanges(new Map(), changesOf(params));
  const author_id = caller.user.id;
  const draft = { project_id: project?.id ?? null, author_id, title, description, visibility };
  const texts = [...files.values()].filter((content) => typeof content === "string");
  const submission = submissionOf(undefined, { ...draft, texts });
  const cleared = submission === undefined ? undefined : await getSpamClearance(context, caller, submission);
  const begun = store.transact((tx) => {
    admit();
    const place: RepositoryPlace = { kind: "snippet", id: tx.nextId("snippets"), storage: pickStorage(context) };
    const due_at = toDateTime(clock.now() + orphanMs);
    return { place, job: enqueueJob(tx, context, { kind: repositoryDeletion.kind, due_at, payload: place }) };
  });
  const { id, storage } = begun.place;
  return repositories.write(
    begun.place,
    () => begun.place,
    async (writer) =>
      switchRef(context, writer, {
        ...(await writeFiles(writer, files, signatureOf(context, caller, baseUrl))),
        owner: ownerOf(draft),
        prepare: async () => undefined,
        record(tx, size) {
          admit();
          cleared?.(tx);
          cancelJob(tx, context, begun.job.id);
          const now = toDateTime(clock.now());
          growStatisticsOf(tx, store, draft, size);
          return insertRecord(tx, context, caller, snippetEvents, {
            id,
            ...draft,
            size,
            files: [...files.keys()],
            repository_storage: storage,
            ...originOf(caller),
            created_at: now,
            updated_at: now,
          });
        },
      }),
  );
}

const userAgentLengthMax = 255;

function originOf({ ipAddress, sent }: SignedInCaller): Pick<SnippetRecord, "user_agent_detail"> {
  const user_agent = sent?.request.headers.get("user-agent")?.slice(0, userAgentLengthMax);
  return user_agent && ipAddress !== null ? { user_agent_detail: { user_agent, ip_address: ipAddress } } : {};
}

function requireCreateRight(context: Context, caller: SignedInCaller, project: ProjectRecord | undefined): void {
  if (project === undefined) {
    if (caller.user.external) throw forbidden();
    return;
  }
  const now = getProject(context, caller, project.id);
  requireLevel(context, caller, { project: now }, accessLevels.reporter);
  if (!canSeeFeature(context, caller.user, now, "snippets")) throw forbidden();
}

function changesOf({ files, file_name, content }: Parameters) {
  const given = files ?? [{ file_path: file_name ?? "", content: content ?? "" }];
  return given.map((each) => ({ action: "create" as const, ...each }));
}
