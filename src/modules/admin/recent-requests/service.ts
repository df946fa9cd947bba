import type { Static } from "@sinclair/typebox";
import { users } from "../../core/users/records.ts";
import type { Context } from "../../kernel/context.ts";
import { RecentRequests, type RequestEntry } from "./ring.ts";
import type { ListRecentRequests } from "./schema.ts";

const limitByDefault = 100;

/** `GET /-/requests`: newest first. */
export function listRecentRequests(
  context: Context,
  { id_before, limit = limitByDefault, ...filter }: Static<typeof ListRecentRequests>,
): RequestEntry[] {
  const found: RequestEntry[] = [];
  const fits = filterOf(context, filter);
  for (const entry of context.get(RecentRequests).entries(id_before)) {
    if (found.length >= limit) break;
    if (fits(entry)) found.push(entry);
  }
  return found;
}

function filterOf(
  { store }: Context,
  { method, status, search = "" }: Pick<Static<typeof ListRecentRequests>, "method" | "status" | "search">,
): (entry: RequestEntry) => boolean {
  const wanted = search.toLowerCase();
  const statusClass = status === undefined ? undefined : Number(status[0]);
  const nameOf = (userId: number | undefined) => (userId === undefined ? "" : store.of(users).get(userId)?.username);
  return (entry) => {
    if (method !== undefined && entry.method !== method) return false;
    if (statusClass !== undefined && Math.floor(entry.status / 100) !== statusClass) return false;
    if (wanted === "") return true;
    const texts = [entry.path, entry.route, entry.requestId, nameOf(entry.userId)];
    return texts.some((text) => text?.toLowerCase().includes(wanted));
  };
}
