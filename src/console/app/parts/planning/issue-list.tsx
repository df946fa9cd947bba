import type { ItemOf, QueryOf } from "../../api/paths.ts";
import { hrefOf } from "../../state/router.ts";
import { KeysetList } from "../keyset-list.tsx";
import { Moment } from "../moment.tsx";

export const issueStates = { opened: "Open", closed: "Closed", all: "All" } as const;

/** The editable fields of an issue, with their labels. */
export const issueFields = {
  title: "Title",
  description: "Description",
  labels: "Labels",
  assignee_ids: "Assigned to, by ids",
  milestone_id: "Id of the milestone",
  weight: "Weight",
  due_date: "Due",
  confidential: "Confidential",
} as const;

type IssuesPath = "/api/v4/issues" | "/api/v4/projects/{id}/issues";

interface IssueListProps<P extends IssuesPath> {
  readonly path: P;
  readonly values?: Readonly<Record<string, number>>;
  readonly query: QueryOf<P>;
  readonly version?: number;
}

/** A list of issues with links. */
export function IssueList<P extends IssuesPath>({ path, values = {}, query, version = 0 }: IssueListProps<P>) {
  return (
    <KeysetList<IssuesPath>
      label="Issues"
      path={path}
      values={values}
      query={query}
      version={version}
      keyOf={({ id }) => id}
      empty={
        <p>
          No issue fits: <code>outpost api POST /projects/ID/issues -F title=…</code>
        </p>
      }
      columns={[
        {
          head: "Issue",
          cell: ({ project_id, iid, title }) => (
            <a href={hrefOf(`/projects/${project_id}/issues/${iid}`)}>
              <bdi>{title}</bdi>
            </a>
          ),
        },
        { head: "Where", cell: ({ references }) => <span class="long">{references.full}</span> },
        { head: "State", cell: ({ state }) => state },
        { head: "Labels", cell: ({ labels }) => <Labels of={labels} /> },
        { head: "Author", cell: ({ author }) => <bdi>{author.name}</bdi> },
        { head: "Changed", cell: ({ updated_at }) => <Moment at={updated_at} /> },
      ]}
    />
  );
}

export function Labels({ of: labels }: { readonly of: ItemOf<IssuesPath>["labels"] }) {
  return (
    <>
      {labels.map((label) => {
        const name = typeof label === "string" ? label : label.name;
        return (
          <span class="tag" key={name}>
            {name}
          </span>
        );
      })}
    </>
  );
}
