import { SearchField } from "../../parts/filters.tsx";
import { KeysetList } from "../../parts/keyset-list.tsx";
import { Moment } from "../../parts/moment.tsx";
import { Branch } from "../../parts/project/contents.tsx";
import { hrefOf, place } from "../../state/router.ts";
import { NewGroup, NewProject } from "./creation.tsx";

/** Groups as a tree that is opened step by step; with a search, the projects that fit. */
export default function Projects() {
  const search = place.value.query.get("search") ?? "";
  return (
    <>
      <div class="page-head">
        <h1>Groups and projects</h1>
        <div class="actions">
          <NewGroup />
          <NewProject />
        </div>
      </div>
      <search class="filters">
        <SearchField />
      </search>
      {search === "" ? <Tree /> : <FoundProjects search={search} />}
    </>
  );
}

function FoundProjects({ search }: { readonly search: string }) {
  return (
    <KeysetList
      label="Projects"
      path="/api/v4/projects"
      query={{ search, search_namespaces: true, order_by: "id", per_page: 50, pagination: "keyset" }}
      keyOf={({ id }) => id}
      empty={
        <p>
          No project fits: <code>outpost api POST /projects -F name=loom</code>
        </p>
      }
      columns={[
        {
          head: "Project",
          cell: ({ id, path_with_namespace }) => (
            <a href={hrefOf(`/projects/${id}`)} class="long">
              <bdi>{path_with_namespace}</bdi>
            </a>
          ),
        },
        { head: "About", cell: ({ description }) => <bdi>{description ?? ""}</bdi> },
        { head: "Last active", cell: ({ last_activity_at }) => <Moment at={last_activity_at} /> },
      ]}
    />
  );
}

function Tree() {
  return (
    <KeysetList
      label="Groups"
      path="/api/v4/groups"
      query={{ top_level_only: true, order_by: "name", per_page: 50, pagination: "keyset" }}
      keyOf={({ id }) => id}
      empty={
        <p>
          There is no group yet: <code>outpost api POST /groups -F name=Skylark -F path=skylark</code>
        </p>
      }
      columns={[{ head: "Group", cell: ({ id, name, visibility }) => <Branch {...{ id, name, visibility }} /> }]}
    />
  );
}
