/** The paging headers of a list by page number, in the order of rest-conventions 7.1; null for one that is not there. */
export const pagingNames = ["x-page", "x-per-page", "x-next-page", "x-prev-page", "x-total", "x-total-pages"] as const;

export const pagingOf = (headers: Headers): (string | null)[] => pagingNames.map((name) => headers.get(name));

/** The expected pagination headers for a page of a list of `total` entries. */
export function expectedPaging(page: number, perPage: number, total: number): string[] {
  const pages = Math.max(1, Math.ceil(total / perPage));
  const next = page < pages ? `${page + 1}` : "";
  const previous = page > 1 ? `${page - 1}` : "";
  return [`${page}`, `${perPage}`, next, previous, `${total}`, `${pages}`];
}
