import { collection, field, multi, ordered, type RecordOf, record, sum, unique } from "../../../store/index.ts";

/** `env_var`: the value itself; `file`: the path of a file with the value. */
export const variableTypes = ["env_var", "file"] as const;

/** A CI variable of a project, of a group or of the instance (ci-variables 2). */
export const CiVariableRecord = record({
  id: field.whole,
  source_type: field.oneOf("project", "group", "instance"),
  /** 0 for the instance. */
  source_id: field.whole,
  key: field.text,
  /** Left out in an export without secrets. */
  value: field.text,
  variable_type: field.oneOf(...variableTypes),
  protected: field.flag,
  masked: field.flag,
  /** The API does not show the value. */
  hidden: field.flag,
  raw: field.flag,
  /** The name of an environment; `*` stands for any text. */
  environment_scope: field.text,
  description: field.nullable(field.text),
  created_at: field.moment,
  updated_at: field.moment,
});
export type CiVariableRecord = RecordOf<typeof CiVariableRecord>;

export const ciVariables = collection("ci-variables", CiVariableRecord, {
  indexes: {
    source: multi((variable) => [variableSourceKey(sourceOfVariable(variable))]),
    key: multi((variable) => [variableKey(sourceOfVariable(variable), variable.key)]),
    scoped_key: unique((variable) => scopedKey(sourceOfVariable(variable), variable.key, variable.environment_scope)),
    /** Characters of the values of each source. */
    length: sum((variable) => [variableSourceKey(sourceOfVariable(variable)), variable.value.length]),
    id: ordered((variable) => variable.id),
  },
  isSecret: true,
  references: { source_id: { by: "source_type", of: { project: "projects", group: "groups" } } },
});

/** The owner of variables; the id of the instance is 0. */
export type VariableSource = Pick<CiVariableRecord, "source_type" | "source_id">;

export const theInstance: VariableSource = { source_type: "instance", source_id: 0 };

export function variableSourceKey({ source_type, source_id }: VariableSource): string {
  return `${source_type} ${source_id}`;
}

export function variableKey(source: VariableSource, key: string): string {
  return `${variableSourceKey(source)} ${key}`;
}

export function scopedKey(source: VariableSource, key: string, scope: string): string {
  return `${variableKey(source, key)} ${scope}`;
}

function sourceOfVariable({ source_type, source_id }: CiVariableRecord): VariableSource {
  return { source_type, source_id };
}
