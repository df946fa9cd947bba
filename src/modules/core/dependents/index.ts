import { defineModule } from "../../kernel/module.ts";
import { dependentsDeletion } from "./service.ts";

export { removeAllDependents, removeDependents } from "./service.ts";

export const dependentsModule = defineModule({ name: "dependents", jobs: [dependentsDeletion] });
