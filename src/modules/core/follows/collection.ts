import type { DateTime } from "../../../lib/datetime.ts";
import { collection, multi, ordered, unique } from "../../../store/index.ts";

/** One user follows another (users-and-auth 6). */
export interface FollowRecord {
  readonly id: number;
  readonly follower_id: number;
  readonly followee_id: number;
  readonly created_at: DateTime;
}

export const follows = collection<FollowRecord>()("follows", {
  pair: unique((follow) => pairKey(follow.follower_id, follow.followee_id)),
  follower_id: multi((follow) => [follow.follower_id]),
  followee_id: multi((follow) => [follow.followee_id]),
  id: ordered((follow) => follow.id),
});

export function pairKey(followerId: number, followeeId: number): string {
  return `${followerId} ${followeeId}`;
}
