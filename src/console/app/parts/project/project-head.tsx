import type { ComponentChildren } from "preact";
import { answerOf, client } from "../../api/client.ts";
import { useAnswer } from "../hooks/use-answer.ts";
import { Refusal } from "../refusal.tsx";
import { Tabs } from "./tabs.tsx";

/** The tabs of a project, below its address. */
const tabs = [
  ["", "Project"],
  ["/files", "Files"],
  ["/branches", "Branches"],
  ["/commits", "Commits"],
  ["/issues", "Issues"],
  ["/labels", "Labels"],
  ["/milestones", "Milestones"],
  ["/pipelines", "Pipelines"],
  ["/runners", "Runners"],
  ["/alerts", "Alerts"],
  ["/errors", "Errors"],
  ["/members", "Members"],
] as const;

interface HeadProps {
  readonly id: number;
  readonly title: ComponentChildren;
  readonly children?: ComponentChildren;
}

/** The heading of a project's page: name, tabs, title and actions. */
export function ProjectHead({ id, title, children }: HeadProps) {
  const { data: project, refusal } = useProject(id);
  return (
    <>
      <Tabs label="Project" name={project?.name_with_namespace ?? ""} base={`/projects/${id}`} tabs={tabs} />
      <PageHead title={title}>{children}</PageHead>
      <Refusal text={refusal} />
    </>
  );
}

/** The title of a page, and its actions. */
export function PageHead({ title, children }: Omit<HeadProps, "id">) {
  return (
    <div class="page-head">
      <h1>
        <bdi>{title}</bdi>
      </h1>
      <div class="actions">{children}</div>
    </div>
  );
}

export function useProject(id: number) {
  return useAnswer(`project ${id}`, () =>
    answerOf(client.GET("/api/v4/projects/{id}", { params: { path: { id }, query: { statistics: true } } })),
  );
}

export type Project = NonNullable<ReturnType<typeof useProject>["data"]>;

/** True for an empty repository. The API hides the field from some callers. */
export function isEmptyRepository(project: Project): boolean {
  return "empty_repo" in project && project.empty_repo;
}
