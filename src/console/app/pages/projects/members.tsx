import { AccessOf } from "../../parts/project/access.tsx";
import { ProjectHead, useProject } from "../../parts/project/project-head.tsx";
import type { PageProps } from "../index.ts";

/** The members of a project. */
export default function Members({ params }: PageProps) {
  const id = Number(params.id);
  const { data: project, reload } = useProject(id);
  const invited = project && ("shared_with_groups" in project ? project.shared_with_groups : []);
  return (
    <>
      <ProjectHead id={id} title="Members" />
      <AccessOf kind="projects" id={id} invited={invited} onChange={reload} />
    </>
  );
}
