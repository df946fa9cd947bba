import { type Static, Type } from "@sinclair/typebox";
import { boolean, hash, longText, nullable, oneOf, optional, text } from "../../../domain/parameters.ts";
import { variableTypes } from "./records.ts";

const common = {
  variable_type: Type.String({ description: "env_var or file" }),
  key: Type.String(),
};
const flags = { protected: Type.Boolean(), masked: Type.Boolean() };
const description = { description: Type.Union([Type.String(), Type.Null()]) };

/** ci-variables 2. */
export const CiVariable = Type.Object(
  {
    ...common,
    value: Type.Union([Type.String(), Type.Null()], { description: "null for a hidden variable" }),
    ...flags,
    hidden: Type.Boolean({ description: "Whether the API never shows the value" }),
    raw: Type.Boolean(),
    environment_scope: Type.String({ description: "Name of an environment; * stands for any text" }),
    ...description,
  },
  { $id: "CiVariable" },
);

/** ci-variables 2: a variable of the instance is never hidden, and is there for every environment. */
export const InstanceCiVariable = Type.Object(
  { ...common, value: Type.String(), ...flags, raw: Type.Boolean(), ...description },
  { $id: "InstanceCiVariable" },
);

const attributes = {
  variable_type: optional(oneOf(variableTypes)),
  protected: optional(boolean({ description: "only for protected branches and tags" })),
  masked: optional(boolean({ description: "hidden in job logs" })),
  raw: optional(boolean({ description: "references to other variables in the value are not expanded" })),
  description: optional(nullable(text())),
};
const scope = () => optional(text({ description: "name of an environment; * stands for any text" }));
const key = () => text({ description: "letters, digits and _" });
const filter = {
  filter: optional(
    hash(
      { environment_scope: optional(text({ description: "exact scope of the variable" })) },
      { description: "which of the variables with this key" },
    ),
  ),
};

/** The parameters beside those of the path. */
export const variableParameters = {
  one: { key: key(), ...filter },
  create: {
    key: key(),
    value: longText(),
    ...attributes,
    environment_scope: scope(),
    masked_and_hidden: optional(boolean({ description: "masked, and never shown by the API" })),
  },
  update: { key: key(), ...filter, value: optional(longText()), ...attributes, environment_scope: scope() },
};

export const instanceParameters = {
  one: { key: key() },
  create: { key: key(), value: longText(), ...attributes },
  update: { key: key(), value: optional(longText()), ...attributes },
};

const NewVariable = Type.Object(variableParameters.create);
const VariableChange = Type.Object(variableParameters.update);
const VariableInPath = Type.Object(variableParameters.one);
export type NewVariable = Static<typeof NewVariable>;
export type VariableChange = Static<typeof VariableChange>;
export type VariableInPath = Static<typeof VariableInPath>;
