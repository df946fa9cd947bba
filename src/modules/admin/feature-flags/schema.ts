import { Type } from "@sinclair/typebox";
import { definitionTypes } from "../../../domain/feature-definition.ts";
import { boolean, list, nullable, optional, pathText, text } from "../../../domain/parameters.ts";

const nullableText = () => Type.Union([Type.String(), Type.Null()]);
/** null and an empty text name no target; that differs from an absent parameter. */
const texts = (description: string) => optional(nullable(list(pathText(), { split: true, description })));

const common = {
  name: Type.String(),
  introduced_by_url: nullableText(),
  rollout_issue_url: nullableText(),
  group: Type.Union([Type.String(), Type.Null()], { description: "team that is responsible for the feature" }),
  type: Type.Union(definitionTypes.map((type) => Type.Literal(type))),
  default_enabled: Type.Boolean(),
};

/** feature-flags 2. */
export const Feature = Type.Object(
  {
    name: Type.String(),
    state: Type.Union([Type.Literal("on"), Type.Literal("off"), Type.Literal("conditional")]),
    gates: Type.Array(
      Type.Object({
        key: Type.String(),
        value: Type.Union([Type.Boolean(), Type.Number(), Type.Array(Type.String())]),
      }),
    ),
    definition: Type.Union([Type.Object(common), Type.Null()]),
  },
  { $id: "Feature" },
);

export const FeatureDefinition = Type.Object(
  {
    ...common,
    milestone: nullableText(),
    log_state_changes: Type.Union([Type.Boolean(), Type.Null()]),
  },
  { $id: "FeatureDefinition" },
);

export const FeatureName = { name: text({ description: "created when it is unknown" }) };

/** feature-flags 3. */
const setting = {
  value: text({ description: "true, false, a percentage, opt_out or remove_opt_out" }),
  key: optional(text({ description: "percentage_of_actors or percentage_of_time, which a number means by itself" })),
  feature_group: optional(text()),
  user: texts("usernames"),
  group: texts("full paths of groups"),
  namespace: texts("paths of groups' and users' namespaces"),
  project: texts("full paths of projects"),
  repository: texts("paths of repositories, such as bank/ledger.git"),
  force: optional(boolean({ description: "take a name that a licensed feature has" })),
};

export const FlagSetting = Type.Object(setting);
export const SetFeature = Type.Object({ ...FeatureName, ...setting });

export const PreviewFeature = Type.Object({
  name: text(),
  user: optional(pathText({ description: "username" })),
  group: optional(pathText({ description: "full path of a group" })),
  project: optional(pathText({ description: "full path of a project" })),
});

export const FeatureState = Type.Object(
  {
    name: Type.String(),
    state: Type.Union([Type.Literal("on"), Type.Literal("off"), Type.Literal("sometimes")]),
    reason: Type.String({ description: "the gate that decides" }),
  },
  { $id: "FeatureState" },
);
