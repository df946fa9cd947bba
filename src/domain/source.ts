/** A group or a project, as records name what they belong to. */
export interface SourceRef {
  readonly type: "group" | "project";
  readonly id: number;
}

/** The group or project that a record belongs to. */
export function sourceOf(record: { readonly source_type: SourceRef["type"]; readonly source_id: number }): SourceRef {
  return { type: record.source_type, id: record.source_id };
}

export function sourceKey({ type, id }: SourceRef): string {
  return `${type} ${id}`;
}

/** A source with the user or the group that has a row in it. */
export function holderKey(source: SourceRef, holderId: number): string {
  return `${sourceKey(source)} ${holderId}`;
}
