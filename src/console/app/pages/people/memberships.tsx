import { useState } from "preact/hooks";
import type { ItemOf } from "../../api/paths.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { KeysetList } from "../../parts/keyset-list.tsx";
import { roleText } from "../../parts/project/roles.ts";
import { hrefOf } from "../../state/router.ts";

type Membership = ItemOf<"/api/v4/users/{id}/memberships">;

/** The direct memberships of a user. Those in groups also show where else they count. */
export function Memberships({ id }: { readonly id: number }) {
  const [shown, setShown] = useState<Membership>();
  return (
    <>
      <h2>Memberships</h2>
      <KeysetList
        label="Memberships"
        path="/api/v4/users/{id}/memberships"
        values={{ id }}
        keyOf={({ source_type, source_id }) => `${source_type} ${source_id}`}
        empty={
          <p>
            No group and no project has this user as a direct member:{" "}
            <code>outpost api POST /groups/ID/members -F user_id={id} -F access_level=30</code>
          </p>
        }
        columns={[
          {
            head: "In",
            cell: ({ source_name, source_type, source_id }) => (
              <a href={hrefOf(`/${source_type === "Project" ? "projects" : "groups"}/${source_id}`)}>
                <bdi>{source_name}</bdi>
              </a>
            ),
          },
          { head: "Role", cell: ({ access_level }) => roleText(access_level) },
          {
            head: "Comes from",
            cell: ({ source_type }) => (source_type === "Project" ? "direct, in the project" : "direct, in the group"),
          },
          {
            head: "Counts in",
            cell: (membership) =>
              membership.source_type === "Project" ? (
                "this project"
              ) : (
                <button type="button" class="quiet" onClick={() => setShown(membership)}>
                  Show everything below and shared
                </button>
              ),
          },
        ]}
      />
      {shown !== undefined && <Reach of={shown} onClose={() => setShown(undefined)} />}
    </>
  );
}

/** The groups and projects in which a group's membership counts too. */
function Reach({ of, onClose }: { readonly of: Membership; readonly onClose: () => void }) {
  const role = roleText(of.access_level);
  const values = { id: of.source_id };
  return (
    <Dialog title={`Where ${role} of ${of.source_name} counts`} onClose={onClose}>
      <h3>Below the group: {role}</h3>
      <KeysetList
        label="Subgroups"
        path="/api/v4/groups/{id}/descendant_groups"
        values={values}
        query={{ all_available: true }}
        keyOf={({ id }) => id}
        empty={
          <p>
            The group has no subgroup:{" "}
            <code>outpost api POST /groups -F name=Sails -F path=sails -F parent_id={of.source_id}</code>
          </p>
        }
        columns={[{ head: "Subgroup", cell: ({ id, full_path }) => <Place to={`/groups/${id}`} path={full_path} /> }]}
      />
      <KeysetList
        label="Projects below"
        path="/api/v4/groups/{id}/projects"
        values={values}
        query={{ include_subgroups: true, with_shared: false, simple: true }}
        keyOf={({ id }) => id}
        empty={
          <p>
            The group has no project:{" "}
            <code>outpost api POST /projects -F name=loom -F namespace_id={of.source_id}</code>
          </p>
        }
        columns={[
          {
            head: "Project",
            cell: ({ id, path_with_namespace }) => <Place to={`/projects/${id}`} path={path_with_namespace} />,
          },
        ]}
      />
      <h3>Where the group is invited: {role}, or less where the invitation gives less</h3>
      <KeysetList
        label="Groups that invite it"
        path="/api/v4/groups/{id}/groups/shared"
        values={values}
        keyOf={({ id }) => id}
        empty={
          <p>
            No group has invited it: <Invitation kind="groups" group={of.source_id} />
          </p>
        }
        columns={[{ head: "Group", cell: ({ id, full_path }) => <Place to={`/groups/${id}`} path={full_path} /> }]}
      />
      <KeysetList
        label="Projects that invite it"
        path="/api/v4/groups/{id}/projects/shared"
        values={values}
        query={{ simple: true }}
        keyOf={({ id }) => id}
        empty={
          <p>
            No project has invited it: <Invitation kind="projects" group={of.source_id} />
          </p>
        }
        columns={[
          {
            head: "Project",
            cell: ({ id, path_with_namespace }) => <Place to={`/projects/${id}`} path={path_with_namespace} />,
          },
        ]}
      />
    </Dialog>
  );
}

function Invitation({ kind, group }: { readonly kind: "groups" | "projects"; readonly group: number }) {
  return (
    <code>
      outpost api POST /{kind}/ID/share -F group_id={group} -F group_access=30
    </code>
  );
}

function Place({ to, path }: { readonly to: string; readonly path: string }) {
  return (
    <a href={hrefOf(to)} class="long">
      <bdi>{path}</bdi>
    </a>
  );
}
