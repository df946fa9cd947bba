import type { FunctionComponent } from "preact";
import { SearchField } from "../../parts/filters.tsx";
import { KeysetList } from "../../parts/keyset-list.tsx";
import { Moment } from "../../parts/moment.tsx";
import { hrefOf, place } from "../../state/router.ts";
import type { PageProps } from "../index.ts";

/** Returns a page that lets the user choose a project, and then opens that project's page. */
export function choiceOfProject(title: string, below: string): FunctionComponent<PageProps> {
  return function Choice() {
    const search = place.value.query.get("search") ?? "";
    return (
      <>
        <h1>{title}</h1>
        <p>They belong to projects. Choose one.</p>
        <search class="filters">
          <SearchField />
        </search>
        <KeysetList
          label="Projects"
          path="/api/v4/projects"
          query={{
            ...{ order_by: "id", per_page: 50, pagination: "keyset" },
            ...(search === "" ? {} : { search, search_namespaces: true }),
          }}
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
                <a href={hrefOf(`/projects/${id}/${below}`)} class="long">
                  <bdi>{path_with_namespace}</bdi>
                </a>
              ),
            },
            { head: "Last active", cell: ({ last_activity_at }) => <Moment at={last_activity_at} /> },
          ]}
        />
      </>
    );
  };
}
