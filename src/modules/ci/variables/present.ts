import type { Static } from "@sinclair/typebox";
import type { View } from "../../kernel/view.ts";
import type { CiVariableRecord } from "./records.ts";
import type { CiVariable, InstanceCiVariable } from "./schema.ts";

/** ci-variables 2. Nobody sees the value of a hidden variable. */
export function presentCiVariable(variable: CiVariableRecord, _: View): Static<typeof CiVariable> {
  const { variable_type, key, value, hidden, masked, raw, environment_scope, description } = variable;
  return {
    ...{ variable_type, key, value: hidden ? null : value, protected: variable.protected },
    ...{ masked, hidden, raw, environment_scope, description },
  };
}

export function presentInstanceCiVariable(variable: CiVariableRecord, _: View): Static<typeof InstanceCiVariable> {
  const { variable_type, key, value, masked, raw, description } = variable;
  return { variable_type, key, value, protected: variable.protected, masked, raw, description };
}
