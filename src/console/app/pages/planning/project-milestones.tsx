import { MilestoneList } from "../../parts/planning/milestone-list.tsx";
import { ProjectHead } from "../../parts/project/project-head.tsx";
import type { PageProps } from "../index.ts";

/** The milestones of a project. */
export default function ProjectMilestones({ params }: PageProps) {
  const id = Number(params.id);
  return (
    <>
      <ProjectHead id={id} title="Milestones" />
      <MilestoneList kind="projects" id={id} />
    </>
  );
}
