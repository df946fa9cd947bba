/** The things that have notes, reactions and subscriptions. */

/** Types of the things that users write notes on, react to, and subscribe to; named as on the wire. */
export const subjectTypes = ["Issue", "Epic", "Note", "Label", "Snippet"] as const;

/** The collection of each, as references of records name it. */
export const subjectCollections = {
  Issue: "issues",
  Epic: "epics",
  Note: "notes",
  Label: "labels",
  Snippet: "snippets",
} as const satisfies Record<(typeof subjectTypes)[number], string>;

export interface SubjectRef {
  readonly type: (typeof subjectTypes)[number];
  readonly id: number;
}

export function subjectKey({ type, id }: SubjectRef): string {
  return `${type} ${id}`;
}
