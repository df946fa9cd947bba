/** A reference to a group or a project. */
export interface SourceRef {
  readonly type: "group" | "project";
  readonly id: number;
}

/** Returns the group or project of a record. */
export function sourceOf(record: { readonly source_type: SourceRef["type"]; readonly source_id: number }): SourceRef {
  return { type: record.source_type, id: record.source_id };
}

export function sourceKey({ type, id }: SourceRef): string {
  return `${type} ${id}`;
}

/** Returns the key of a user's or group's row in a source. */
export function holderKey(source: SourceRef, holderId: number): string {
  return `${sourceKey(source)} ${holderId}`;
}
