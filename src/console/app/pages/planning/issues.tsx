import { ChoiceField, choiceOf, SearchField } from "../../parts/filters.tsx";
import { IssueList, issueStates } from "../../parts/planning/issue-list.tsx";
import { IssuePlot } from "../../parts/planning/issue-plot.tsx";
import { place } from "../../state/router.ts";

const scopes = { all: "Everybody's", assigned_to_me: "Assigned to me", created_by_me: "Created by me" } as const;

/** The issues of all projects that the user sees. */
export default function Issues() {
  const search = place.value.query.get("search") ?? "";
  return (
    <>
      <h1>Issues</h1>
      <IssuePlot query={{ scope: choiceOf("scope", scopes), ...(search === "" ? {} : { search }) }} />
      <search class="filters">
        <SearchField />
        <ChoiceField name="state" label="State" choices={issueStates} />
        <ChoiceField name="scope" label="Whose" choices={scopes} />
      </search>
      <IssueList
        path="/api/v4/issues"
        query={{
          ...{ state: choiceOf("state", issueStates), scope: choiceOf("scope", scopes), per_page: 50 },
          ...(search === "" ? {} : { search }),
        }}
      />
    </>
  );
}
