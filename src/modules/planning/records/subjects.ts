/** What people write notes on, react to, and subscribe to; types are named as on the wire. */
export interface SubjectRef {
  readonly type: "Issue" | "Epic" | "Note" | "Label" | "Snippet";
  readonly id: number;
}

export function subjectKey({ type, id }: SubjectRef): string {
  return `${type} ${id}`;
}
