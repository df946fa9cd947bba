import { useState } from "preact/hooks";
import { answerOf, client } from "../../api/client.ts";
import { hrefOf } from "../../state/router.ts";
import { useAnswer } from "../hooks/use-answer.ts";
import { Refusal } from "../refusal.tsx";

interface BranchProps {
  readonly id: number;
  readonly name: string;
  readonly visibility: string;
}

/** A group that loads its contents when it is opened. */
export function Branch({ id, name, visibility }: BranchProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <bdi>{name}</bdi> <span class="weak">{visibility}</span>
      </summary>
      {isOpen && (
        <>
          <a href={hrefOf(`/groups/${id}`)}>Open the group</a>
          <Contents id={id} />
        </>
      )}
    </details>
  );
}

/** The most entries of a group in the tree. The search finds the others. */
const entriesMax = 100;

/** The subgroups and projects of a group. */
export function Contents({ id }: { readonly id: number }) {
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
  if (groups.length + projects.length === 0) {
    return (
      <p class="empty">
        Nothing is in it: <code>outpost api POST /projects -F name=loom -F namespace_id={id}</code>
      </p>
    );
  }
  const isCut = groups.length === entriesMax || projects.length === entriesMax;
  return (
    <ul class="tree">
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
