import type { Caller, SignedInCaller } from "../../../domain/caller.ts";
import { forbidden, notFound } from "../../../domain/failure.ts";
import type { Page, PageRequest } from "../../../domain/page.ts";
import type { Condition } from "../../../store/index.ts";
import type { ProjectRecord } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import type { FileContent } from "../../kernel/operation.ts";
import { readerOf } from "../repositories/index.ts";
import { findFiles } from "./files.ts";
import { canSeeSnippet, canSeeSnippetsOf, getSnippet, visibleVisibilities } from "./policy.ts";
import { type SnippetRecord, snippets } from "./records.ts";
import type { ListAllSnippets, ListSnippets } from "./schema.ts";
import { placeOfSnippet } from "./service-update.ts";

type SnippetCondition = Condition<typeof snippets.indexes>;

const isPersonal: SnippetCondition = { index: "project_id", key: 0 };

/** `GET /snippets`: the caller's own personal ones, newest first. */
export function listOwnSnippets(
  { store }: Context,
  { user }: SignedInCaller,
  params: ListSnippets,
  page: PageRequest,
): Page<SnippetRecord> {
  const where = [isPersonal, { index: "author_id", key: user.id } as const, ...creationConditions(params)];
  return store.page(snippets, { where, order: "id", descending: true, page });
}

/** `GET /snippets/public`: the public personal ones of all users, newest first. */
export function listPublicSnippets({ store }: Context, params: ListSnippets, page: PageRequest): Page<SnippetRecord> {
  const where = [isPersonal, { index: "visibility", key: "public" } as const, ...creationConditions(params)];
  return store.page(snippets, { where, order: "id", descending: true, page });
}

/** `GET /snippets/all`: every snippet that the caller sees, newest first; administrators and auditors see all. */
export function listAllSnippets(
  context: Context,
  caller: SignedInCaller,
  params: ListAllSnippets,
  page: PageRequest,
): Page<SnippetRecord> {
  const { store } = context;
  const { id, is_admin, is_auditor } = caller.user;
  const storage = is_admin ? params.repository_storage : undefined;
  const where: SnippetCondition[] = [
    ...creationConditions(params),
    ...(storage === undefined ? [] : [{ index: "repository_storage", key: storage } as const]),
  ];
  const order = { order: "id", descending: true, page } as const;
  if (is_admin || is_auditor) return store.page(snippets, { where, ...order });
  const inProject = { not: isPersonal };
  const open = visibleVisibilities(context, caller, undefined).map((key) => ({ index: "visibility", key }) as const);
  return store.page(snippets, {
    where: [...where, { anyOf: [{ index: "author_id", key: id }, ...open, inProject] }],
    ...order,
    matches: (snippet) => canSeeSnippet(context, caller, snippet),
  });
}

/** Throws 404 for a snippet of which it is not known where it came from. */
export function getUserAgentDetail({ user_agent_detail }: SnippetRecord) {
  if (user_agent_detail === undefined) throw notFound("UserAgentDetail");
  return user_agent_detail;
}

function creationConditions({ created_after, created_before }: ListSnippets): SnippetCondition[] {
  if (created_after === undefined && created_before === undefined) return [];
  return [{ index: "created_at", from: created_after, to: created_before }];
}

/**
 * The snippets of a project that the caller can see, newest first. Throws 403 where the project shows the caller none.
 */
export function listProjectSnippets(
  context: Context,
  caller: Caller,
  project: ProjectRecord,
  page: PageRequest,
): Page<SnippetRecord> {
  if (!canSeeSnippetsOf(context, caller, project)) throw forbidden();
  const { user } = caller;
  const seen = visibleVisibilities(context, caller, project).map((key) => ({ index: "visibility", key }) as const);
  const own = user === undefined ? [] : [{ index: "author_id", key: user.id } as const];
  const where = [{ index: "project_id", key: project.id } as const, { anyOf: [...seen, ...own] }];
  return context.store.page(snippets, { where, order: "id", descending: true, page });
}

/** The first file. Throws 404. */
export async function getRawSnippet(
  context: Context,
  caller: Caller,
  id: number,
  project: ProjectRecord | undefined,
): Promise<FileContent> {
  const snippet = getSnippet(context, caller, id, project);
  const content = await context.repositories.readInTurn(
    placeOfSnippet(snippet),
    readerOf(caller),
    async (repository) => {
      const [file] = (await findFiles(repository, snippet.files.slice(0, 1))).values();
      if (file === undefined) throw notFound("File");
      return repository.content(file.blob);
    },
  );
  return {
    contentType: "text/plain; charset=utf-8",
    content: content instanceof Uint8Array ? content : content.toStream(),
    headers: { "Content-Disposition": "inline" },
  };
}
