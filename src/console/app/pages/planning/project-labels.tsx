import { LabelList } from "../../parts/planning/label-list.tsx";
import { ProjectHead } from "../../parts/project/project-head.tsx";
import type { PageProps } from "../index.ts";

/** The labels of a project. */
export default function ProjectLabels({ params }: PageProps) {
  const id = Number(params.id);
  return (
    <>
      <ProjectHead id={id} title="Labels" />
      <LabelList kind="projects" id={id} />
    </>
  );
}
