import { RunnerList } from "../../parts/ci/runner-list.tsx";
import { ProjectHead } from "../../parts/project/project-head.tsx";
import type { PageProps } from "../index.ts";

/** The runners that a project can use. */
export default function ProjectRunners({ params }: PageProps) {
  const id = Number(params.id);
  return (
    <>
      <ProjectHead id={id} title="Runners" />
      <RunnerList projectId={id} />
    </>
  );
}
