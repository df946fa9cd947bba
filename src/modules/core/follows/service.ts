import { invalid, unchanged } from "../../../domain/failure.ts";
import { mapPage, type Page, type PageRequest } from "../../../domain/page.ts";
import { toDateTime } from "../../../lib/datetime.ts";
import type { Store, Transaction } from "../../../store/index.ts";
import type { Context } from "../../kernel/context.ts";
import { type RemovalBudget, removeFirst } from "../../kernel/removal.ts";
import { follows, pairKey } from "./records.ts";

const followeesMax = 300;

/** Counts a user's followers, and the users that the user follows. */
export function countFollows(store: Store, userId: number): { readonly followers: number; readonly following: number } {
  const { by } = store.of(follows);
  return { followers: by.followee_id.find(userId).size, following: by.follower_id.find(userId).size };
}

export function isFollowing(store: Store, followerId: number, followeeId: number): boolean {
  return findFollow(store, followerId, followeeId) !== undefined;
}

/** Ids of the followers of a user, the oldest first. */
export function listFollowers(store: Store, userId: number, page: PageRequest): Page<number> {
  return mapPage(pageOf(store, "followee_id", userId, page), (follow) => follow.follower_id);
}

/** Ids of whom a user follows, the longest first. */
export function listFollowees(store: Store, userId: number, page: PageRequest): Page<number> {
  return mapPage(pageOf(store, "follower_id", userId, page), (follow) => follow.followee_id);
}

/** Throws `unchanged` for a user who is followed already and for the caller, 400 beyond the limit. */
export function follow({ store, clock }: Context, followerId: number, followeeId: number): void {
  if (followerId === followeeId || isFollowing(store, followerId, followeeId)) throw unchanged();
  if (store.of(follows).by.follower_id.find(followerId).size >= followeesMax) {
    throw invalid(`You can't follow more than ${followeesMax} users. To follow more users, unfollow some others.`);
  }
  store.transact((tx) => {
    const id = tx.nextId("follows");
    const created_at = toDateTime(clock.now());
    tx.insert(follows, { id, follower_id: followerId, followee_id: followeeId, created_at });
  });
}

/** Throws `unchanged` for a user who is not followed. */
export function unfollow({ store }: Context, followerId: number, followeeId: number): void {
  const id = findFollow(store, followerId, followeeId);
  if (id === undefined) throw unchanged();
  store.transact((tx) => tx.remove(follows, id));
}

/** Removes a user's follows in both directions, in the transaction that deletes the user. */
export function removeFollowsOf(tx: Transaction, store: Store, userId: number, budget: RemovalBudget): void {
  const { by } = store.of(follows);
  budget.spend((limit) => removeFirst(tx, follows, by.follower_id.find(userId), limit));
  budget.spend((limit) => removeFirst(tx, follows, by.followee_id.find(userId), limit));
}

function findFollow(store: Store, followerId: number, followeeId: number): number | undefined {
  return store.of(follows).by.pair.find(pairKey(followerId, followeeId));
}

function pageOf(store: Store, index: "follower_id" | "followee_id", userId: number, page: PageRequest) {
  return store.page(follows, { where: [{ index, key: userId }], order: "id", descending: false, page });
}
