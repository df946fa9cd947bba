import { collection, field, multi, type RecordOf, record, type Store, unique } from "../../../store/index.ts";
import type { ProjectRecord } from "../../groups-and-projects/projects/records.ts";
import { nameInProject, ruleLevels } from "../protected-branches/records.ts";

const CreateRow = field.object({
  id: field.whole,
  access_level: field.nullable(field.oneOf(...ruleLevels)),
  user_id: field.nullable(field.whole),
  group_id: field.nullable(field.whole),
});

/** A rule for the tags of a project whose names match (protected-refs 3). The tags need not exist. */
export const ProtectedTagRecord = record({
  id: field.whole,
  project_id: field.whole,
  /** A name; `*` stands for any text. */
  name: field.text,
  /** Rows of levels, users and groups that may create such tags. */
  create: field.listOf(CreateRow),
  created_at: field.moment,
  updated_at: field.moment,
});
export type ProtectedTagRecord = RecordOf<typeof ProtectedTagRecord>;

export const protectedTags = collection("protected-tags", ProtectedTagRecord, {
  indexes: {
    name_in_project: unique(({ project_id, name }) => nameInProject(project_id, name)),
    project_id: multi(({ project_id }) => [project_id]),
  },
  references: { project_id: "projects" },
});

/** The rules of a project, of which there are a thousand at most. */
export function tagRulesOf(store: Store, { id }: Pick<ProjectRecord, "id">): ProtectedTagRecord[] {
  return [...store.of(protectedTags).by.project_id.find(id)]
    .map((each) => store.of(protectedTags).get(each))
    .filter((each) => each !== undefined);
}
