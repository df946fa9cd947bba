/** The things that have notes, reactions and subscriptions. */

export interface SubjectRef {
  /** The `typeName` of the collection that the thing is in, as on the wire: `Issue`. */
  readonly type: string;
  readonly id: number;
}

export function subjectKey({ type, id }: SubjectRef): string {
  return `${type} ${id}`;
}
