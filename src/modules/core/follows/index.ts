import { defineModule } from "../../kernel/module.ts";
import { deletedWithUser } from "../../kernel/user-removed-hook.ts";
import { follows } from "./records.ts";
import { removeFollowsOf } from "./service.ts";

export { follows } from "./records.ts";
export { countFollows, follow, isFollowing, listFollowees, listFollowers, unfollow } from "./service.ts";

export const followsModule = defineModule({
  name: "follows",
  collections: [follows],
  onUserDeleted: [deletedWithUser(removeFollowsOf)],
});
