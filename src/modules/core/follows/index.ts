export { follows } from "./collection.ts";
export {
  countFollows,
  follow,
  isFollowing,
  listFollowees,
  listFollowers,
  removeFollowsOf,
  unfollow,
} from "./service.ts";
