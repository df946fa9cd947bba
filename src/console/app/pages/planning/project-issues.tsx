import { useState } from "preact/hooks";
import { answerOf, client } from "../../api/client.ts";
import type { paths } from "../../api/generated.d.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { ChoiceField, choiceOf, SearchField } from "../../parts/filters.tsx";
import { IssueList, issueStates } from "../../parts/project/issue-list.tsx";
import { ProjectHead } from "../../parts/project/project-head.tsx";
import { SchemaForm } from "../../parts/schema-form.tsx";
import { go, place } from "../../state/router.ts";
import type { PageProps } from "../index.ts";

type NewIssue = NonNullable<
  paths["/api/v4/projects/{id}/issues"]["post"]["requestBody"]
>["content"]["application/json"];

/** The issues of one project. */
export default function ProjectIssues({ params }: PageProps) {
  const id = Number(params.id);
  const search = place.value.query.get("search") ?? "";
  const [isCreating, setCreating] = useState(false);
  return (
    <>
      <ProjectHead id={id} title="Issues">
        <button type="button" class="primary" onClick={() => setCreating(true)}>
          New issue
        </button>
      </ProjectHead>
      <search class="filters">
        <SearchField />
        <ChoiceField name="state" label="State" choices={issueStates} />
      </search>
      <IssueList
        path="/api/v4/projects/{id}/issues"
        values={{ id }}
        query={{ state: choiceOf("state", issueStates), per_page: 50, ...(search === "" ? {} : { search }) }}
      />
      {isCreating && (
        <Dialog title="New issue" onClose={() => setCreating(false)}>
          <SchemaForm
            method="post"
            path="/api/v4/projects/{id}/issues"
            fields={{ title: "Title", description: "Description", confidential: "Confidential", due_date: "Due" }}
            long={["description"]}
            action="Create"
            onSubmit={async (values) => {
              const call = client.POST("/api/v4/projects/{id}/issues", {
                params: { path: { id } },
                body: values as NewIssue,
              });
              go(`/projects/${id}/issues/${(await answerOf(call)).iid}`);
            }}
          />
        </Dialog>
      )}
    </>
  );
}
