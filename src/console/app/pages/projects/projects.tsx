import { useState } from "preact/hooks";
import { answerOf, client } from "../../api/client.ts";
import { SearchField } from "../../parts/filters.tsx";
import { KeysetList } from "../../parts/keyset-list.tsx";
import { Moment } from "../../parts/moment.tsx";
import { Refusal } from "../../parts/refusal.tsx";
import { useAnswer } from "../../parts/use-answer.ts";
import { hrefOf, place } from "../../state/router.ts";

/** Groups as a tree that is opened step by step; with a search, the projects that fit. */
export default function Projects() {
  const search = place.value.query.get("search") ?? "";
  return (
    <>
      <h1>Groups and projects</h1>
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
      empty={<p>No project fits.</p>}
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

interface BranchProps {
  readonly id: number;
  readonly name: string;
  readonly visibility: string;
}

/** A group that shows what is in it once it is opened. */
function Branch({ id, name, visibility }: BranchProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <bdi>{name}</bdi> <span class="weak">{visibility}</span>
      </summary>
      {isOpen && <Contents id={id} />}
    </details>
  );
}

/** The most entries of a group in the tree; the search finds the others. */
const entriesMax = 100;

function Contents({ id }: { readonly id: number }) {
  const ask = async () => {
    const params = { path: { id }, query: { per_page: entriesMax } };
    const [groups, projects] = await Promise.all([
      answerOf(client.GET("/api/v4/groups/{id}/subgroups", { params })),
      answerOf(client.GET("/api/v4/groups/{id}/projects", { params })),
    ]);
    return { groups, projects };
  };
  const { data, refusal } = useAnswer(String(id), ask);
  if (refusal !== "") return <Refusal text={refusal} />;
  if (data === undefined) return <p role="status">Loading…</p>;
  const { groups, projects } = data;
  const isCut = groups.length === entriesMax || projects.length === entriesMax;
  return (
    <ul class="tree">
      <li>
        <a href={hrefOf(`/groups/${id}`)}>Members and settings</a>
      </li>
      {groups.map((group) => (
        <li key={`group ${group.id}`}>
          <Branch id={group.id} name={group.name} visibility={group.visibility} />
        </li>
      ))}
      {projects.map(({ id: project, name }) => (
        <li key={`project ${project}`}>
          <a href={hrefOf(`/projects/${project}`)}>
            <bdi>{name}</bdi>
          </a>
        </li>
      ))}
      {isCut && <li class="weak">The first {entriesMax} of each kind. Search for the others.</li>}
    </ul>
  );
}
