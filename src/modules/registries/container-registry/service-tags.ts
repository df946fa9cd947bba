import type { Page, PageRequest } from "../../../domain/page.ts";
import type { Store } from "../../../store/index.ts";
import { type ContainerRepositoryRecord, type ContainerTagRecord, containerTags } from "./records.ts";

const namesMax = 1_000;

/** `GET …/tags`, by name. */
export function listTags(
  store: Store,
  { id }: Pick<ContainerRepositoryRecord, "id">,
  page: PageRequest,
  descending = false,
): Page<ContainerTagRecord> {
  const where = [{ index: "repository_id", key: id } as const];
  return store.page(containerTags, { where, order: "name", descending, page });
}

/** Names of tags, sorted, from the one behind `last` on. */
export function listTagNames(
  store: Store,
  repository: ContainerRepositoryRecord,
  { limit = namesMax, last }: { readonly limit?: number | undefined; readonly last?: string | undefined },
): { readonly names: readonly string[]; readonly hasNext: boolean } {
  const after = last === undefined ? undefined : { key: last, id: Number.MAX_SAFE_INTEGER };
  const perPage = Math.min(limit, namesMax);
  if (perPage === 0) return { names: [], hasNext: false };
  const { items, next } = listTags(store, repository, { kind: "keyset", after, perPage });
  return { names: items.map(({ name }) => name), hasNext: next !== undefined };
}
