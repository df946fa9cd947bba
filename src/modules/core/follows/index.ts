import { defineModule } from "../../kernel/module.ts";
import { follows } from "./records.ts";

export {
  countFollows,
  follow,
  isFollowing,
  listFollowees,
  listFollowers,
  removeFollowsOf,
  unfollow,
} from "./service.ts";

export const followsModule = defineModule({
  name: "follows",
  collections: [follows],
});
