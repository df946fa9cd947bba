import { deletedWithUser } from "../../core/users/index.ts";
import { defineModule } from "../../kernel/module.ts";
import { subscriptions } from "./records.ts";

export {
  findSubscription,
  moveSubscriptions,
  removeSubscriptionsTo,
  subscribersTo,
  upsertSubscription,
} from "./service.ts";

export const subscriptionsModule = defineModule({
  name: "subscriptions",
  collections: [subscriptions],
  on: [deletedWithUser(subscriptions)],
});
