import { KeysetList } from "../../parts/keyset-list.tsx";
import { Moment } from "../../parts/moment.tsx";
import { AddFile } from "../../parts/project/add-file.tsx";
import { ProjectHead } from "../../parts/project/project-head.tsx";
import { place } from "../../state/router.ts";
import type { PageProps } from "../index.ts";

/** The commits of a branch, newest first. */
export default function Commits({ params }: PageProps) {
  const id = Number(params.id);
  const ref = place.value.query.get("ref") ?? "";
  return (
    <>
      <ProjectHead id={id} title="Commits" />
      <KeysetList
        label="Commits"
        path="/api/v4/projects/{id}/repository/commits"
        values={{ id }}
        query={{ ref_name: ref, per_page: 50 }}
        keyOf={({ id: sha }) => sha}
        empty={
          <p>
            No commit is here yet. Push one, or <AddFile id={id} name="README.md" />
          </p>
        }
        columns={[
          { head: "Commit", cell: ({ short_id }) => <code>{short_id}</code> },
          { head: "Title", cell: ({ title }) => <bdi>{title}</bdi> },
          { head: "Author", cell: ({ author_name }) => <bdi>{author_name}</bdi> },
          { head: "When", cell: ({ committed_date }) => <Moment at={committed_date} /> },
        ]}
      />
    </>
  );
}
