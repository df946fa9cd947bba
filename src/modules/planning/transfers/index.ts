import { defineModule } from "../../kernel/module.ts";
import { placeRelinking, relinkingOfTransfers } from "./service.ts";

export const planningTransfersModule = defineModule({
  name: "planning-transfers",
  jobs: [placeRelinking],
  on: relinkingOfTransfers,
});
