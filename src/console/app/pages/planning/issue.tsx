import { useState } from "preact/hooks";
import { answerOf, client } from "../../api/client.ts";
import type { components } from "../../api/generated.d.ts";
import { FormButton } from "../../parts/buttons/form-button.tsx";
import { Facts } from "../../parts/facts.tsx";
import { useAnswer } from "../../parts/hooks/use-answer.ts";
import { KeysetList } from "../../parts/keyset-list.tsx";
import { Moment } from "../../parts/moment.tsx";
import { issueFields, Labels } from "../../parts/planning/issue-list.tsx";
import { ProjectHead } from "../../parts/project/project-head.tsx";
import { Refusal } from "../../parts/refusal.tsx";
import { SchemaForm } from "../../parts/schema-form.tsx";
import { attempt, showDone } from "../../state/toasts.ts";
import type { PageProps } from "../index.ts";

type Issue = Pick<
  components["schemas"]["Issue"],
  | ("project_id" | "iid" | "title" | "state" | "author" | "assignees" | "confidential" | "weight")
  | ("labels" | "milestone" | "due_date" | "created_at" | "description")
>;

/** An issue with its notes, oldest first. */
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
        {issue !== undefined && (
          <>
            <EditButton issue={issue} onChange={reload} />
            <CloseButton issue={issue} onChange={reload} />
          </>
        )}
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
            anchorOf={({ id }) => `note_${id}`}
            empty={
              <p>
                Nobody has written a note yet:{" "}
                <code>
                  outpost api POST /projects/{params.id}/issues/{params.iid}/notes -F body=…
                </code>
              </p>
            }
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
            values={path}
            fields={{ body: "Your note" }}
            long={["body"]}
            action="Add the note"
            onAnswer={() => setVersion(version + 1)}
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

function EditButton({ issue, onChange }: { readonly issue: Issue; readonly onChange: () => void }) {
  return (
    <FormButton
      label="Edit"
      method="put"
      path="/api/v4/projects/{id}/issues/{issue_iid}"
      values={{ id: issue.project_id, issue_iid: issue.iid }}
      fields={issueFields}
      required={["title"]}
      long={["description"]}
      initial={{
        ...issue,
        assignee_ids: issue.assignees.map(({ id }) => id),
        milestone_id: issue.milestone?.id,
      }}
      action="Save"
      done="The issue is changed"
      onDone={onChange}
    />
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
