import { answerOf, client } from "../../api/client.ts";
import type { ItemOf } from "../../api/paths.ts";
import { ChoiceField, choiceOf, SearchField } from "../../parts/filters.tsx";
import { useAnswer } from "../../parts/hooks/use-answer.ts";
import { KeysetList } from "../../parts/keyset-list.tsx";
import { Moment } from "../../parts/moment.tsx";
import { Branch } from "../../parts/project/contents.tsx";
import { OwnRole } from "../../parts/project/own-role.tsx";
import { Refusal } from "../../parts/refusal.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { hrefOf, place } from "../../state/router.ts";
import { NewGroup, NewProject } from "./creation.tsx";

type Project = ItemOf<"/api/v4/projects">;
type Group = ItemOf<"/api/v4/groups">;

const views = {
  "": "Yours first",
  "your-projects": "Your projects",
  "your-groups": "Your groups",
  projects: "All projects",
} as const;

/** The user's projects, then all that the user sees; with a search, the matching ones. */
export default function Projects() {
  const search = place.value.query.get("search") ?? "";
  const view = choiceOf("show", views);
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
        <ChoiceField name="show" label="Show" choices={views} />
      </search>
      {view === "your-groups" && <OwnGroups />}
      {view !== "your-groups" && (view !== "" || search !== "") && (
        <ProjectList search={search} isOwn={view === "your-projects"} />
      )}
      {view === "" && search === "" && (
        <>
          <NewestOwn />
          <h2>All groups</h2>
          <Tree />
        </>
      )}
    </>
  );
}

const projectColumn: Column<Project> = {
  head: "Project",
  cell: ({ id, path_with_namespace }) => (
    <a href={hrefOf(`/projects/${id}`)} class="long">
      <bdi>{path_with_namespace}</bdi>
    </a>
  ),
};
const lastActive: Column<Project> = {
  head: "Last active",
  cell: ({ last_activity_at }) => <Moment at={last_activity_at} />,
};
const ownProjectColumns: readonly Column<Project>[] = [
  projectColumn,
  { head: "Your role", cell: ({ id }) => <OwnRole kind="projects" id={id} /> },
  lastActive,
];
const ownGroupColumns: readonly Column<Group>[] = [
  {
    head: "Group",
    cell: ({ id, full_path }) => (
      <a href={hrefOf(`/groups/${id}`)} class="long">
        <bdi>{full_path}</bdi>
      </a>
    ),
  },
  { head: "Your role", cell: ({ id }) => <OwnRole kind="groups" id={id} /> },
];

/** Projects with a direct, inherited or shared membership. */
const ownProjects = { membership: true, order_by: "last_activity_at" } as const;
const ownGroups = { min_access_level: 10, order_by: "name" } as const;
const shownMax = 10;

/** The user's recently used projects and groups. */
function NewestOwn() {
  const query = { per_page: shownMax };
  const { data, refusal } = useAnswer("own projects and groups", async () => {
    const [projects, groups] = await Promise.all([
      answerOf(client.GET("/api/v4/projects", { params: { query: { ...ownProjects, ...query } } })),
      answerOf(client.GET("/api/v4/groups", { params: { query: { ...ownGroups, ...query } } })),
    ]);
    return { projects, groups };
  });
  if (refusal !== "") return <Refusal text={refusal} />;
  if (data === undefined) return <p role="status">Loading…</p>;
  return (
    <>
      <h2>Your projects</h2>
      {data.projects.length === 0 ? (
        <p class="empty">
          You have a role in no project yet: <code>outpost api POST /projects -F name=loom</code>
        </p>
      ) : (
        <section class="list" aria-label="Your projects">
          <Table columns={ownProjectColumns} rows={data.projects} keyOf={({ id }) => id} isLoading={false} />
        </section>
      )}
      {data.projects.length === shownMax && <a href={hrefOf("/projects?show=your-projects")}>All your projects</a>}
      <h2>Your groups</h2>
      {data.groups.length === 0 ? (
        <p class="empty">
          You have a role in no group yet: <code>outpost api POST /groups -F name=Skylark -F path=skylark</code>
        </p>
      ) : (
        <section class="list" aria-label="Your groups">
          <Table columns={ownGroupColumns} rows={data.groups} keyOf={({ id }) => id} isLoading={false} />
        </section>
      )}
      {data.groups.length === shownMax && <a href={hrefOf("/projects?show=your-groups")}>All your groups</a>}
    </>
  );
}

function ProjectList({ search, isOwn }: { readonly search: string; readonly isOwn: boolean }) {
  return (
    <KeysetList
      label="Projects"
      path="/api/v4/projects"
      query={{
        ...(search === "" ? {} : { search, search_namespaces: true }),
        ...(isOwn ? ownProjects : { order_by: "id", pagination: "keyset" }),
        per_page: isOwn ? 20 : 50,
      }}
      keyOf={({ id }) => id}
      empty={
        <p>
          No project fits: <code>outpost api POST /projects -F name=loom</code>
        </p>
      }
      columns={
        isOwn
          ? ownProjectColumns
          : [projectColumn, { head: "About", cell: ({ description }) => <bdi>{description ?? ""}</bdi> }, lastActive]
      }
    />
  );
}

function OwnGroups() {
  const search = place.value.query.get("search") ?? "";
  return (
    <KeysetList
      label="Your groups"
      path="/api/v4/groups"
      query={{ ...ownGroups, per_page: 20, ...(search === "" ? {} : { search }) }}
      keyOf={({ id }) => id}
      empty={
        <p>
          You have a role in no group that fits: <code>outpost api POST /groups -F name=Skylark -F path=skylark</code>
        </p>
      }
      columns={ownGroupColumns}
    />
  );
}

function Tree() {
  return (
    <KeysetList
      label="Groups"
      path="/api/v4/groups"
      query={{ top_level_only: true, all_available: true, order_by: "name", per_page: 50, pagination: "keyset" }}
      keyOf={({ id }) => id}
      empty={
        <p>
          You see no top-level group: <code>outpost api POST /groups -F name=Skylark -F path=skylark</code>
        </p>
      }
      columns={[{ head: "Group", cell: ({ id, name, visibility }) => <Branch {...{ id, name, visibility }} /> }]}
    />
  );
}
