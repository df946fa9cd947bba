import { answerOf, client } from "../../api/client.ts";
import { FormButton } from "../../parts/buttons/form-button.tsx";
import { ChoiceField, choiceOf, SearchField } from "../../parts/filters.tsx";
import { useAnswer } from "../../parts/hooks/use-answer.ts";
import { IssueList, issueFields, issueStates } from "../../parts/planning/issue-list.tsx";
import { IssuePlot } from "../../parts/planning/issue-plot.tsx";
import { ProjectHead } from "../../parts/project/project-head.tsx";
import { go, place } from "../../state/router.ts";
import type { PageProps } from "../index.ts";

/** The most labels and milestones in the filters. Others are reached from their own pages. */
const offeredMax = 100;

/** The issues of a project. */
export default function ProjectIssues({ params }: PageProps) {
  const id = Number(params.id);
  const { query } = place.value;
  const names = useNames(id);
  const [search, label, milestone] = ["search", "label", "milestone"].map((name) => query.get(name) ?? "");
  const filter = {
    ...(search ? { search } : {}),
    ...(label ? { "labels[]": [label] } : {}),
    ...(milestone ? { milestone } : {}),
  };
  return (
    <>
      <ProjectHead id={id} title="Issues">
        <FormButton
          isPrimary
          label="New issue"
          method="post"
          path="/api/v4/projects/{id}/issues"
          values={{ id }}
          fields={issueFields}
          required={["title"]}
          long={["description"]}
          action="Create"
          done="The issue is created"
          onDone={({ iid }) => go(`/projects/${id}/issues/${iid}`)}
        />
      </ProjectHead>
      <IssuePlot projectId={id} query={filter} />
      <search class="filters">
        <SearchField />
        <ChoiceField name="state" label="State" choices={issueStates} />
        <ChoiceField name="label" label="Label" choices={withAll(names?.labels ?? [], label)} />
        <ChoiceField name="milestone" label="Milestone" choices={withAll(names?.milestones ?? [], milestone)} />
      </search>
      <IssueList
        path="/api/v4/projects/{id}/issues"
        values={{ id }}
        query={{ state: choiceOf("state", issueStates), per_page: 50, ...filter }}
      />
    </>
  );
}

function useNames(id: number) {
  const ask = async () => {
    const params = { path: { id }, query: { per_page: offeredMax } };
    const [labels, milestones] = await Promise.all([
      answerOf(client.GET("/api/v4/projects/{id}/labels", { params })),
      answerOf(client.GET("/api/v4/projects/{id}/milestones", { params })),
    ]);
    return { labels: labels.map(({ name }) => name), milestones: milestones.map(({ title }) => title) };
  };
  return useAnswer(`names ${id}`, ask).data;
}

/** Adds the selected name, which may not be among the first ones. */
function withAll(names: readonly string[], chosen = ""): Readonly<Record<string, string>> {
  return Object.fromEntries([
    ["", "All"],
    ...[...new Set([...names, chosen].filter(Boolean))].map((name) => [name, name]),
  ]);
}
