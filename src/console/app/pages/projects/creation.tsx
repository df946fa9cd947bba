import { FormButton } from "../../parts/buttons/form-button.tsx";
import { go } from "../../state/router.ts";

/** Creates a group; without `parentId` a top-level one. */
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

/** Creates a project in a group, or in the reader's own namespace. */
export function NewProject({ groupId }: { readonly groupId?: number }) {
  return (
    <FormButton
      isPrimary={groupId === undefined}
      label="New project"
      method="post"
      path="/api/v4/projects"
      fields={{
        name: "Name",
        path: "Path",
        description: "Description",
        visibility: "Visibility",
        initialize_with_readme: "With a README",
      }}
      required={["name"]}
      help={{ path: "Left empty: made of the name." }}
      bodyOf={(values) => (groupId === undefined ? values : { ...values, namespace_id: groupId })}
      action="Create"
      done="The project is created"
      onDone={({ id }) => go(`/projects/${id}`)}
    />
  );
}
