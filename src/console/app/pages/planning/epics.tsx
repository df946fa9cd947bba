import { useState } from "preact/hooks";
import { client } from "../../api/client.ts";
import type { ItemOf } from "../../api/paths.ts";
import { ConfirmButton } from "../../parts/buttons/confirm-button.tsx";
import { FormButton } from "../../parts/buttons/form-button.tsx";
import { ChoiceField, choiceOf, SearchField } from "../../parts/filters.tsx";
import { KeysetList } from "../../parts/keyset-list.tsx";
import { Moment } from "../../parts/moment.tsx";
import { issueStates, Labels } from "../../parts/planning/issue-list.tsx";
import { GroupHead } from "../../parts/project/group-head.tsx";
import { place } from "../../state/router.ts";
import { attempt, showDone } from "../../state/toasts.ts";
import type { PageProps } from "../index.ts";

type Epic = ItemOf<"/api/v4/groups/{id}/epics">;

const fields = {
  title: "Title",
  description: "Description",
  labels: "Labels",
  start_date_fixed: "Starts",
  due_date_fixed: "Due",
} as const;

/** Dates that a user sets replace those of milestones. */
const withFixedDays = (values: Readonly<Record<string, unknown>>) => ({
  ...values,
  ...("start_date_fixed" in values ? { start_date_is_fixed: values.start_date_fixed !== null } : {}),
  ...("due_date_fixed" in values ? { due_date_is_fixed: values.due_date_fixed !== null } : {}),
});

function toggle(groupId: number, { iid, state }: Epic): Promise<boolean> {
  const isOpen = state === "opened";
  return attempt(async () => {
    const body = { state_event: isOpen ? ("close" as const) : ("reopen" as const) };
    await client.PUT("/api/v4/groups/{id}/epics/{epic_iid}", {
      params: { path: { id: groupId, epic_iid: iid } },
      body,
    });
    showDone(isOpen ? "The epic is closed" : "The epic is open again");
  });
}

/** The epics of a group. */
export default function Epics({ params }: PageProps) {
  const id = Number(params.id);
  const [version, setVersion] = useState(0);
  const reload = () => setVersion((before) => before + 1);
  const search = place.value.query.get("search") ?? "";
  const at = ({ iid }: Epic) => ({ path: { id, epic_iid: iid } });
  return (
    <>
      <GroupHead id={id} title="Epics">
        <FormButton
          isPrimary
          label="New epic"
          method="post"
          path="/api/v4/groups/{id}/epics"
          values={{ id }}
          fields={fields}
          long={["description"]}
          bodyOf={withFixedDays}
          action="Create"
          done="The epic is created"
          onDone={reload}
        />
      </GroupHead>
      <search class="filters">
        <SearchField />
        <ChoiceField name="state" label="State" choices={issueStates} />
      </search>
      <KeysetList
        label="Epics"
        path="/api/v4/groups/{id}/epics"
        values={{ id }}
        query={{ state: choiceOf("state", issueStates), per_page: 50, ...(search === "" ? {} : { search }) }}
        version={version}
        keyOf={({ iid, group_id }) => `${group_id} ${iid}`}
        empty={
          <p>
            No epic fits: <code>outpost api POST /groups/ID/epics -F title=…</code>
          </p>
        }
        columns={[
          { head: "Epic", cell: ({ title }) => <bdi>{title}</bdi> },
          { head: "State", cell: ({ state }) => state },
          { head: "Labels", cell: ({ labels }) => <Labels of={labels} /> },
          { head: "Starts", cell: ({ start_date }) => start_date ?? "no day" },
          { head: "Due", cell: ({ due_date }) => due_date ?? "no day" },
          { head: "Changed", cell: ({ updated_at }) => <Moment at={updated_at} /> },
          {
            head: "Actions",
            // An epic of a subgroup is edited in that group.
            cell: (epic) =>
              epic.group_id === id && (
                <span class="actions">
                  <FormButton
                    label="Edit"
                    title={`Edit ${epic.title}`}
                    method="put"
                    path="/api/v4/groups/{id}/epics/{epic_iid}"
                    values={at(epic).path}
                    fields={fields}
                    long={["description"]}
                    initial={epic}
                    bodyOf={withFixedDays}
                    action="Save"
                    done="The epic is changed"
                    onDone={reload}
                  />
                  <button type="button" onClick={() => void toggle(id, epic).then(reload)}>
                    {epic.state === "opened" ? "Close" : "Reopen"}
                  </button>
                  <ConfirmButton
                    label="Delete"
                    title={`Delete ${epic.title}?`}
                    done="The epic is deleted"
                    act={() => client.DELETE("/api/v4/groups/{id}/epics/{epic_iid}", { params: at(epic) })}
                    onDone={reload}
                  >
                    Its issues stay.
                  </ConfirmButton>
                </span>
              ),
          },
        ]}
      />
    </>
  );
}
