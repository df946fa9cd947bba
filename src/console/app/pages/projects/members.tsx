import { KeysetList } from "../../parts/keyset-list.tsx";
import { MemberList } from "../../parts/project/member-list.tsx";
import { ProjectHead } from "../../parts/project/project-head.tsx";
import type { PageProps } from "../index.ts";

/** Members of a project, and the groups that are invited to it. */
export default function Members({ params }: PageProps) {
  const id = Number(params.id);
  return (
    <>
      <ProjectHead id={id} title="Members" />
      <MemberList kind="projects" id={id} />
      <h2>Invited groups</h2>
      <KeysetList
        label="Invited groups"
        path="/api/v4/projects/{id}/invited_groups"
        values={{ id }}
        keyOf={(group) => group.id}
        empty={
          <p>
            No group is invited: <code>outpost api POST /projects/ID/share -F group_id=3 -F group_access=20</code>
          </p>
        }
        columns={[{ head: "Group", cell: ({ full_name }) => <bdi>{full_name}</bdi> }]}
      />
    </>
  );
}
