import { defineModule } from "../../kernel/module.ts";
import { metadataOperations } from "./operations.ts";

export const metadataModule = defineModule({
  name: "metadata",
  tag: "Version",
  operations: metadataOperations,
});
