export { follows } from "./records.ts";
export {
  countFollows,
  follow,
  isFollowing,
  listFollowees,
  listFollowers,
  removeFollowsOf,
  unfollow,
} from "./service.ts";
