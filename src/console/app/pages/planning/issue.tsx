import { useState } from "preact/hooks";
import { answerOf, client } from "../../api/client.ts";
import type { components } from "../../api/generated.d.ts";
import { Facts } from "../../parts/facts.tsx";
import { KeysetList } from "../../parts/keyset-list.tsx";
import { Moment } from "../../parts/moment.tsx";
import { Labels } from "../../parts/project/issue-list.tsx";
import { ProjectHead } from "../../parts/project/project-head.tsx";
import { Refusal } from "../../parts/refusal.tsx";
import { SchemaForm } from "../../parts/schema-form.tsx";
import { useAnswer } from "../../parts/use-answer.ts";
import { attempt, showDone } from "../../state/toasts.ts";
import type { PageProps } from "../index.ts";

type Issue = Pick<
  components["schemas"]["Issue"],
  | ("project_id" | "iid" | "state" | "author" | "assignees")
  | ("labels" | "milestone" | "due_date" | "created_at" | "description")
>;

/** One issue with its notes, oldest first. */
export default function IssuePage({ params }: PageProps) {
  const path = { id: Number(params.id), issue_iid: Number(params.iid) };
  const {
    data: issue,
    refusal,
    reload,
  } = useAnswer(`${params.id} ${params.iid}`, () =>
    answerOf(client.GET("/api/v4/projects/{id}/issues/{issue_iid}", { params: { path } })),
  );
  const [version, setVersion] = useState(0);
  return (
    <>
      <ProjectHead id={path.id} title={issue?.title ?? "Issue"}>
        {issue !== undefined && <CloseButton issue={issue} onChange={reload} />}
      </ProjectHead>
      <Refusal text={refusal} />
      {issue !== undefined && (
        <>
          <Description of={issue} />
          <h2>Notes</h2>
          <KeysetList
            label="Notes"
            path="/api/v4/projects/{id}/issues/{issue_iid}/notes"
            values={path}
            query={{ sort: "asc", per_page: 50 }}
            version={version}
            keyOf={({ id }) => id}
            empty={<p>Nobody has written a note yet.</p>}
            columns={[
              { head: "Who", cell: ({ author }) => <bdi>{author?.name ?? "deleted"}</bdi> },
              { head: "When", cell: ({ created_at }) => <Moment at={created_at} /> },
              {
                head: "Note",
                cell: ({ body, system }) => <span class={system ? "weak text" : "text"}>{body}</span>,
              },
            ]}
          />
          <SchemaForm
            key={version}
            method="post"
            path="/api/v4/projects/{id}/issues/{issue_iid}/notes"
            fields={{ body: "Your note" }}
            long={["body"]}
            action="Add the note"
            onSubmit={async ({ body }) => {
              const call = { params: { path }, body: { body: String(body) } };
              await client.POST("/api/v4/projects/{id}/issues/{issue_iid}/notes", call);
              setVersion(version + 1);
            }}
          />
        </>
      )}
    </>
  );
}

function Description({ of: issue }: { readonly of: Issue }) {
  return (
    <>
      <Facts
        of={[
          ["State", issue.state],
          ["Author", issue.author.name],
          ["Assigned to", issue.assignees.map(({ name }) => name).join(", ") || "nobody"],
          ["Labels", <Labels key="labels" of={issue.labels} />],
          ["Milestone", issue.milestone?.title ?? "none"],
          ["Due", issue.due_date ?? "no day"],
          ["Created", <Moment key="created" at={issue.created_at} />],
        ]}
      />
      {issue.description !== null && <p class="text">{issue.description}</p>}
    </>
  );
}

function CloseButton({ issue, onChange }: { readonly issue: Issue; readonly onChange: () => void }) {
  const isOpen = issue.state === "opened";
  const toggle = () =>
    attempt(async () => {
      await client.PUT("/api/v4/projects/{id}/issues/{issue_iid}", {
        params: { path: { id: issue.project_id, issue_iid: issue.iid } },
        body: { state_event: isOpen ? "close" : "reopen" },
      });
      showDone(isOpen ? "The issue is closed" : "The issue is open again");
      onChange();
    });
  return (
    <button type="button" onClick={() => void toggle()}>
      {isOpen ? "Close" : "Reopen"}
    </button>
  );
}
