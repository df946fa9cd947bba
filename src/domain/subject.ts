/** A resource that may have notes, reactions and subscriptions. */
export interface SubjectRef {
  /** The `typeName` of its collection, as in the API: `Issue`. */
  readonly type: string;
  readonly id: number;
}

export function subjectKey({ type, id }: SubjectRef): string {
  return `${type} ${id}`;
}
