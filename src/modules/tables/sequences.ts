import type { StoredDocument } from "../../store/index.ts";

/** Whose ids are given by a sequence of another name than theirs; undefined: they are those of other documents. */
const sequenceNames: Readonly<Record<string, string | undefined>> = {
  installation: undefined,
  "application-settings": undefined,
  groups: "namespaces",
  "user-statuses": undefined,
  "user-preferences": undefined,
  "user-custom-attributes": undefined,
  "group-custom-attributes": undefined,
  "project-custom-attributes": undefined,
  "job-traces": undefined,
  "error-tracking-settings": undefined,
  "error-tracking-client-keys": "error-tracking-client-keys",
  "tracked-errors": "tracked-errors",
  "error-events": "error-events",
  "error-payloads": undefined,
  "due-mails": undefined,
  "project-storage-moves": "project-storage-moves",
  "snippet-storage-moves": "snippet-storage-moves",
  "group-storage-moves": "group-storage-moves",
  "alert-payloads": undefined,
  "alert-settings": undefined,
  "unsent-mails": undefined,
  "mail-deliveries": undefined,
  sequences: undefined,
  "log-marks": undefined,
};

/** Numbers that are given anew in each project or group. */
const iidSequences: Readonly<Record<string, (document: Numbered) => string>> = {
  alerts: ({ project_id }) => `alerts of project ${project_id}`,
  epics: ({ group_id }) => `epics of group ${group_id}`,
  issues: ({ project_id }) => `issues of project ${project_id}`,
  milestones: ({ source_type, source_id }) => `milestones of ${source_type} ${source_id}`,
  pipelines: ({ project_id }) => `pipelines of project ${project_id}`,
};

type Numbered = StoredDocument & Readonly<Record<string, unknown>>;

/** The sequences that must not give the numbers of a document again, each with that number. */
export function numbersOf(collection: string, document: StoredDocument): readonly (readonly [string, number])[] {
  const numbered = document as Numbered;
  const name = collection in sequenceNames ? sequenceNames[collection] : collection.replaceAll("-", "_");
  // Odd ids are theirs, even ones those of primary addresses.
  const last = collection === "emails" ? Math.ceil(document.id / 2) : document.id;
  const ofOwn = name === undefined ? [] : [[name, last] as const];
  const iidSequence = iidSequences[collection];
  return iidSequence === undefined ? ofOwn : [...ofOwn, [iidSequence(numbered), numbered.iid as number]];
}
