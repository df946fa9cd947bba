import { defineModule } from "../../kernel/module.ts";
import { deliveries, endedDeliveries } from "./records.ts";
import { deliveryRetention } from "./retention.ts";
import { Deliveries } from "./service.ts";

export type { DeliveryKind, DeliveryOutcome } from "./kind.ts";
export {
  countWaiting,
  Deliveries,
  enqueueDelivery,
  findDelivery,
  findFirstReference,
  hastenDelivery,
  type NewDelivery,
} from "./service.ts";
export { callReceiver, type ReceiverCall } from "./service-receivers.ts";

export const deliveriesModule = defineModule({
  name: "deliveries",
  services: [Deliveries],
  collections: [deliveries, endedDeliveries],
  cron: [deliveryRetention],
  stop: async (context, drained) => {
    // The last requests and jobs may write deliveries.
    await drained;
    await context.get(Deliveries).stop();
  },
});
