import { useState } from "preact/hooks";
import { client } from "../../api/client.ts";
import { hrefOf, place } from "../../state/router.ts";
import { ConfirmButton } from "../buttons/confirm-button.tsx";
import { FormButton } from "../buttons/form-button.tsx";
import { SearchField } from "../filters.tsx";
import { KeysetList } from "../keyset-list.tsx";
import { Figure } from "../moment.tsx";
import type { PlaceProps } from "../project/member-list.tsx";

const fields = { color: "Colour", description: "Description" } as const;

/** The labels of a group or project, with the number of issues of each. */
export function LabelList({ kind, id }: PlaceProps) {
  const [version, setVersion] = useState(0);
  const reload = () => setVersion((before) => before + 1);
  const search = place.value.query.get("search") ?? "";
  const path = `/api/v4/${kind}/{id}/labels` as const;
  return (
    <>
      <search class="filters">
        <SearchField />
        <FormButton
          isPrimary
          label="New label"
          method="post"
          path={path}
          values={{ id }}
          fields={{ name: "Name", ...fields }}
          initial={{ color: "#6699cc" }}
          action="Create"
          done="The label is created"
          onDone={reload}
        />
      </search>
      <KeysetList
        label="Labels"
        path={path}
        values={{ id }}
        query={{ with_counts: true, per_page: 50, ...(search === "" ? {} : { search }) }}
        version={version}
        keyOf={(label) => label.id}
        empty={
          <p>
            No label is like that: <code>outpost api POST /{kind}/ID/labels -F name=bug -F color=red</code>
          </p>
        }
        columns={[
          { head: "Label", cell: ({ name }) => <bdi>{name}</bdi> },
          { head: "Colour", cell: ({ color }) => <Colour of={color} /> },
          { head: "Description", cell: ({ description }) => <bdi>{description ?? ""}</bdi> },
          {
            head: "Open issues",
            cell: ({ name, open_issues_count: count = 0 }) =>
              kind === "projects" ? (
                <a href={hrefOf(`/projects/${id}/issues?${new URLSearchParams({ label: name })}`)}>
                  <Figure of={count} />
                </a>
              ) : (
                <Figure of={count} />
              ),
          },
          { head: "Closed issues", cell: ({ closed_issues_count: count = 0 }) => <Figure of={count} /> },
          {
            head: "Actions",
            cell: (label) => (
              <span class="actions">
                <FormButton
                  label="Edit"
                  title={`Edit ${label.name}`}
                  method="put"
                  path={`${path}/{label_id}`}
                  values={{ id, label_id: label.id }}
                  fields={{ new_name: "Name", ...fields }}
                  initial={{ ...label, new_name: label.name }}
                  action="Save"
                  done="The label is changed"
                  onDone={reload}
                />
                <ConfirmButton
                  label="Delete"
                  title={`Delete ${label.name}?`}
                  done="The label is deleted"
                  act={() => client.DELETE(`${path}/{label_id}`, { params: { path: { id, label_id: label.id } } })}
                  onDone={reload}
                >
                  Issues that have it lose it.
                </ConfirmButton>
              </span>
            ),
          },
        ]}
      />
    </>
  );
}

/** A colour sample beside the value, which screen readers read. */
export function Colour({ of: color }: { readonly of: string }) {
  const paint = (element: HTMLElement | null) => element?.style.setProperty("background", color);
  return (
    <>
      <span class="colour" ref={paint} /> <code>{color}</code>
    </>
  );
}
