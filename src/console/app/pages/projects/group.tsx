import { client } from "../../api/client.ts";
import { ConfirmButton } from "../../parts/buttons/confirm-button.tsx";
import { FormButton } from "../../parts/buttons/form-button.tsx";
import { Facts } from "../../parts/facts.tsx";
import { Moment } from "../../parts/moment.tsx";
import { Contents } from "../../parts/project/contents.tsx";
import { GroupHead, useGroup } from "../../parts/project/group-head.tsx";
import { sizesText } from "../../parts/project/sizes.ts";
import { go, hrefOf } from "../../state/router.ts";
import type { PageProps } from "../index.ts";
import { NewGroup, NewProject } from "./creation.tsx";

type Group = NonNullable<ReturnType<typeof useGroup>["data"]>;

/** A group with its subgroups and projects. */
export default function GroupPage({ params }: PageProps) {
  const id = Number(params.id);
  const { data: group, reload } = useGroup(id);
  return (
    <>
      <GroupHead id={id} title={group?.name ?? "Group"}>
        {group !== undefined && <Actions group={group} onChange={reload} />}
      </GroupHead>
      {group !== undefined && (
        <>
          <Facts
            of={[
              ["Path", group.full_path],
              ["Visibility", group.visibility],
              ["Since", <Moment key="since" at={group.created_at} />],
              ["Storage", group.repository_storage ?? "not shown"],
              ["Sizes", sizesText(group.statistics)],
              [
                "Above",
                group.parent_id === null ? (
                  "nothing"
                ) : (
                  <a key="above" href={hrefOf(`/groups/${group.parent_id}`)}>
                    the group above
                  </a>
                ),
              ],
            ]}
          />
          {group.description !== "" && <p class="text">{group.description}</p>}
          <h2>In the group</h2>
          <Contents id={id} />
        </>
      )}
    </>
  );
}

const fields = {
  name: "Name",
  path: "Path",
  description: "Description",
  visibility: "Visibility",
  project_creation_level: "Who creates projects",
  subgroup_creation_level: "Who creates subgroups",
  request_access_enabled: "Users may ask for access",
  share_with_group_lock: "Projects cannot invite groups",
  membership_lock: "Projects cannot add members",
} as const;

function Actions({ group, onChange }: { readonly group: Group; readonly onChange: () => void }) {
  const { id, full_path } = group;
  return (
    <>
      <NewGroup parentId={id} />
      <NewProject groupId={id} />
      <FormButton
        label="Edit"
        title={`Edit ${full_path}`}
        method="put"
        path="/api/v4/groups/{id}"
        values={{ id }}
        fields={fields}
        required={["name", "path"]}
        initial={group}
        action="Save"
        done="The changes are saved"
        onDone={onChange}
      />
      <FormButton
        label="Transfer"
        title={`Transfer ${full_path}`}
        method="post"
        path="/api/v4/groups/{id}/transfer"
        values={{ id }}
        fields={{ group_id: "Id of the group to put it in" }}
        help={{ group_id: "Left empty: it becomes a top-level group." }}
        action="Transfer"
        done="The group is transferred"
        onDone={onChange}
      />
      <ConfirmButton
        label="Delete"
        title={`Delete ${full_path}?`}
        typed={full_path}
        done={`${full_path} is being deleted`}
        act={() => client.DELETE("/api/v4/groups/{id}", { params: { path: { id } } })}
        onDone={() => go("/projects")}
      >
        Its subgroups and projects go with it, with all that is in them, and cannot come back.
      </ConfirmButton>
    </>
  );
}
