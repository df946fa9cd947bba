import { answerOf, client } from "../../api/client.ts";
import { FormButton } from "../../parts/buttons/form-button.tsx";
import { useAnswer } from "../../parts/hooks/use-answer.ts";
import { go } from "../../state/router.ts";

/** Creates a group. Without `parentId` it is a top-level one. */
export function NewGroup({ parentId }: { readonly parentId?: number }) {
  return (
    <FormButton
      isPrimary={parentId === undefined}
      label={parentId === undefined ? "New group" : "New subgroup"}
      method="post"
      path="/api/v4/groups"
      fields={{ name: "Name", path: "Path", description: "Description", visibility: "Visibility" }}
      bodyOf={(values) => (parentId === undefined ? values : { ...values, parent_id: parentId })}
      action="Create"
      done="The group is created"
      onDone={({ id }) => go(`/groups/${id}`)}
    />
  );
}

/** The most groups that the form offers for a new project. */
const groupsMax = 100;

/** Creates a project. Without `groupId`, the user chooses the group. */
export function NewProject({ groupId }: { readonly groupId?: number }) {
  const { data: groups = [] } = useAnswer(`groups for projects ${groupId}`, async () =>
    groupId === undefined ? answerOf(client.GET("/api/v4/groups", { params: { query: mayHoldProjects } })) : [],
  );
  return (
    <FormButton
      isPrimary={groupId === undefined}
      label="New project"
      method="post"
      path="/api/v4/projects"
      fields={{
        name: "Name",
        path: "Path",
        ...(groups.length === 0 ? {} : { namespace_id: "In the group" }),
        description: "Description",
        visibility: "Visibility",
        initialize_with_readme: "With a README",
      }}
      required={["name"]}
      choices={{ namespace_id: Object.fromEntries(groups.map(({ id, full_path }) => [id, full_path])) }}
      help={{ path: "Left empty: made of the name.", namespace_id: "Left empty: your own namespace." }}
      bodyOf={(values) => (groupId === undefined ? values : { ...values, namespace_id: groupId })}
      action="Create"
      done="The project is created"
      onDone={({ id }) => go(`/projects/${id}`)}
    />
  );
}

/** Groups where the user is at least a developer, which most groups require. The server refuses the others. */
const mayHoldProjects = { min_access_level: 30, order_by: "path", per_page: groupsMax } as const;
