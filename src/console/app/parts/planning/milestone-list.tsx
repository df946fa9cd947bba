import { useState } from "preact/hooks";
import { client } from "../../api/client.ts";
import type { ItemOf } from "../../api/paths.ts";
import { hrefOf } from "../../state/router.ts";
import { attempt, showDone } from "../../state/toasts.ts";
import { ConfirmButton } from "../buttons/confirm-button.tsx";
import { FormButton } from "../buttons/form-button.tsx";
import { ChoiceField, choiceOf } from "../filters.tsx";
import { KeysetList } from "../keyset-list.tsx";
import type { PlaceProps } from "../project/member-list.tsx";

type Milestone = ItemOf<"/api/v4/projects/{id}/milestones">;

const states = { active: "Active", closed: "Closed" } as const;
const fields = { title: "Title", description: "Description", start_date: "Starts", due_date: "Due" } as const;

function toggle({ kind, id }: PlaceProps, { id: milestone_id, state }: Milestone): Promise<boolean> {
  const isActive = state === "active";
  return attempt(async () => {
    const body = { state_event: isActive ? ("close" as const) : ("activate" as const) };
    await client.PUT(`/api/v4/${kind}/{id}/milestones/{milestone_id}`, {
      params: { path: { id, milestone_id } },
      body,
    });
    showDone(isActive ? "The milestone is closed" : "The milestone is active again");
  });
}

/** The milestones of a group or project. */
export function MilestoneList({ kind, id }: PlaceProps) {
  const [version, setVersion] = useState(0);
  const reload = () => setVersion((before) => before + 1);
  const path = `/api/v4/${kind}/{id}/milestones` as const;
  const at = (milestone: Milestone) => ({ path: { id, milestone_id: milestone.id } });
  return (
    <>
      <search class="filters">
        <ChoiceField name="state" label="State" choices={states} />
        <FormButton
          isPrimary
          label="New milestone"
          method="post"
          path={path}
          values={{ id }}
          fields={fields}
          long={["description"]}
          action="Create"
          done="The milestone is created"
          onDone={reload}
        />
      </search>
      <KeysetList
        label="Milestones"
        path={path}
        values={{ id }}
        query={{ state: choiceOf("state", states), per_page: 50 }}
        version={version}
        keyOf={(milestone) => milestone.id}
        empty={
          <p>
            No milestone is in this state: <code>outpost api POST /{kind}/ID/milestones -F title=Spring</code>
          </p>
        }
        columns={[
          {
            head: "Milestone",
            cell: ({ title }) => <MilestoneTitle kind={kind} id={id} title={title} />,
          },
          { head: "Starts", cell: ({ start_date }) => start_date ?? "no day" },
          {
            head: "Due",
            cell: ({ due_date, expired }) => (
              <>
                {due_date ?? "no day"} {expired && <span class="tag warning">over</span>}
              </>
            ),
          },
          {
            head: "Actions",
            cell: (milestone) => (
              <span class="actions">
                <FormButton
                  label="Edit"
                  title={`Edit ${milestone.title}`}
                  method="put"
                  path={`${path}/{milestone_id}`}
                  values={at(milestone).path}
                  fields={fields}
                  long={["description"]}
                  initial={milestone}
                  action="Save"
                  done="The milestone is changed"
                  onDone={reload}
                />
                <button type="button" onClick={() => void toggle({ kind, id }, milestone).then(reload)}>
                  {milestone.state === "active" ? "Close" : "Activate"}
                </button>
                <ConfirmButton
                  label="Delete"
                  title={`Delete ${milestone.title}?`}
                  done="The milestone is deleted"
                  act={() => client.DELETE(`${path}/{milestone_id}`, { params: at(milestone) })}
                  onDone={reload}
                >
                  Its issues stay, without a milestone.
                </ConfirmButton>
              </span>
            ),
          },
        ]}
      />
    </>
  );
}

/** The title of a milestone, with a link to its issues. Group milestones have no such page. */
function MilestoneTitle({ kind, id, title }: PlaceProps & { readonly title: string }) {
  const shown = <bdi>{title}</bdi>;
  if (kind === "groups") return shown;
  return <a href={hrefOf(`/projects/${id}/issues?${new URLSearchParams({ milestone: title })}`)}>{shown}</a>;
}
