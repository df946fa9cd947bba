import { SearchField } from "../../parts/filters.tsx";
import { KeysetList } from "../../parts/keyset-list.tsx";
import { Moment } from "../../parts/moment.tsx";
import { ProjectHead } from "../../parts/project/project-head.tsx";
import { hrefOf, place } from "../../state/router.ts";
import type { PageProps } from "../index.ts";

/** The branches of a repository, with links to the files and commits of each. */
export default function Branches({ params }: PageProps) {
  const id = Number(params.id);
  const search = place.value.query.get("search") ?? "";
  const to = (page: string, ref: string) => hrefOf(`/projects/${id}/${page}?${new URLSearchParams({ ref })}`);
  return (
    <>
      <ProjectHead id={id} title="Branches" />
      <search class="filters">
        <SearchField />
      </search>
      <KeysetList
        label="Branches"
        path="/api/v4/projects/{id}/repository/branches"
        values={{ id }}
        query={{ per_page: 50, ...(search === "" ? {} : { search }) }}
        keyOf={({ name }) => name}
        empty={
          <p>
            No branch is like that. The first one comes with the first commit, others from one:{" "}
            <code>outpost api POST /projects/{id}/repository/branches -F branch=next -F ref=main</code>
          </p>
        }
        columns={[
          {
            head: "Branch",
            cell: ({ name, ...branch }) => (
              <>
                <a href={to("files", name)} class="long">
                  <bdi>{name}</bdi>
                </a>{" "}
                {branch.default && <span class="tag">default</span>}{" "}
                {branch.protected && <span class="tag">protected</span>}
              </>
            ),
          },
          {
            head: "Newest commit",
            cell: ({ name, commit }) => (
              <a href={to("commits", name)}>
                <code>{commit.short_id}</code> <bdi>{commit.title}</bdi>
              </a>
            ),
          },
          { head: "When", cell: ({ commit }) => <Moment at={commit.committed_date} /> },
        ]}
      />
    </>
  );
}
