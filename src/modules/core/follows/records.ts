import { collection, field, multi, ordered, type RecordOf, record, unique } from "../../../store/index.ts";

/** One user follows another (users-and-auth 6). */
export const FollowRecord = record({
  id: field.whole,
  follower_id: field.whole,
  followee_id: field.whole,
  created_at: field.moment,
});
export type FollowRecord = RecordOf<typeof FollowRecord>;

export const follows = collection("follows", FollowRecord, {
  indexes: {
    pair: unique((follow) => pairKey(follow.follower_id, follow.followee_id)),
    follower_id: multi((follow) => [follow.follower_id]),
    followee_id: multi((follow) => [follow.followee_id]),
    id: ordered((follow) => follow.id),
  },
  references: { follower_id: "users", followee_id: "users" },
});

export function pairKey(followerId: number, followeeId: number): string {
  return `${followerId} ${followeeId}`;
}
