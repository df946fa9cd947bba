import type { SignedInCaller } from "../../../domain/caller.ts";
import { forbidden, invalid, notFoundLowerCase, requireUnmodified } from "../../../domain/failure.ts";
import { type DateTime, toDateTime } from "../../../lib/datetime.ts";
import type { Store } from "../../../store/index.ts";
import type { ProjectRecord } from "../../groups-and-projects/projects/records.ts";
import type { Context } from "../../kernel/context.ts";
import { updateRecord } from "../../kernel/record-events.ts";
import { releaseEvents } from "./events.ts";
import { changedLink, draftOfLink, linksMax, requireValidLink } from "./links.ts";
import { canWriteRelease } from "./policy.ts";
import { findRelease, type ReleaseLink, type ReleaseRecord } from "./records.ts";
import type { LinkChange, NewLink } from "./schema.ts";

/** Throws 404 in the words of the operations on links. */
export function getReleaseWithLinks(store: Store, { id }: ProjectRecord, tag: string): ReleaseRecord {
  const release = findRelease(store, id, tag);
  if (release === undefined) throw notFoundLowerCase();
  return release;
}

/** Throws 404. */
export function getLink({ links }: ReleaseRecord, id: number): ReleaseLink {
  const link = links.find((each) => each.id === id);
  if (link === undefined) throw notFoundLowerCase();
  return link;
}

/** `POST …/assets/links`. Throws 400 with attribute errors, and 403. */
export function createLink(
  context: Context,
  caller: SignedInCaller,
  project: ProjectRecord,
  release: ReleaseRecord,
  params: NewLink,
): ReleaseLink {
  requireLinkWriter(context, caller, project, release);
  const draft = draftOfLink(params);
  requireValidLink(draft, release.links);
  if (release.links.length >= linksMax) throw invalid({ base: [`too many links (maximum is ${linksMax})`] });
  return context.store.transact((tx) => {
    const link = { id: tx.nextId("release_links"), ...draft };
    updateRecord(tx, context, caller, releaseEvents, withLinks(context, release, [...release.links, link]));
    return link;
  });
}

/** `PUT …/assets/links/:link_id`. Throws 400 with attribute errors, and 403. */
export function updateLink(
  context: Context,
  caller: SignedInCaller,
  project: ProjectRecord,
  release: ReleaseRecord,
  { link, change }: { readonly link: ReleaseLink; readonly change: LinkChange },
): ReleaseLink {
  requireLinkWriter(context, caller, project, release);
  const changed = changedLink(link, change);
  const others = release.links.filter(({ id }) => id !== link.id);
  requireValidLink(changed, others);
  if (Bun.deepEquals(changed, link)) return link;
  const links = release.links.map((each) => (each.id === link.id ? changed : each));
  context.store.transact((tx) => {
    updateRecord(tx, context, caller, releaseEvents, withLinks(context, release, links));
  });
  return changed;
}

/** `DELETE …/assets/links/:link_id`. Throws 403, 412. */
export function deleteLink(
  context: Context,
  caller: SignedInCaller,
  project: ProjectRecord,
  release: ReleaseRecord,
  link: ReleaseLink,
  unmodifiedSince: DateTime | undefined,
): void {
  requireLinkWriter(context, caller, project, release);
  requireUnmodified(release, unmodifiedSince);
  const links = release.links.filter(({ id }) => id !== link.id);
  context.store.transact((tx) => {
    updateRecord(tx, context, caller, releaseEvents, withLinks(context, release, links));
  });
}

function withLinks({ clock }: Context, release: ReleaseRecord, links: readonly ReleaseLink[]): ReleaseRecord {
  return { ...release, links, updated_at: toDateTime(clock.now()) };
}

/** Throws 403. */
function requireLinkWriter(
  context: Context,
  caller: SignedInCaller,
  project: ProjectRecord,
  { tag }: ReleaseRecord,
): void {
  if (!canWriteRelease(context, caller, project, tag)) throw forbidden();
}
