import type { ComponentChildren } from "preact";
import { answerOf, client } from "../../api/client.ts";
import { hrefOf, place } from "../../state/router.ts";
import { Refusal } from "../refusal.tsx";
import { useAnswer } from "../use-answer.ts";

/** The pages of a project, below its address. */
const tabs = [
  ["", "Project"],
  ["/files", "Files"],
  ["/commits", "Commits"],
  ["/issues", "Issues"],
  ["/pipelines", "Pipelines"],
  ["/alerts", "Alerts"],
  ["/errors", "Errors"],
  ["/members", "Members"],
] as const;

interface ProjectHeadProps {
  readonly id: number;
  readonly title: ComponentChildren;
  readonly children?: ComponentChildren;
}

/** The heading of a page of a project: its name, the ways to its other pages, the title and what can be done. */
export function ProjectHead({ id, title, children }: ProjectHeadProps) {
  const { data: project, refusal } = useProject(id);
  const { path } = place.value;
  return (
    <>
      <nav aria-label="Project" class="project">
        <p>
          <bdi>{project?.name_with_namespace ?? ""}</bdi>
        </p>
        <ul class="tabs">
          {tabs.map(([below, text]) => {
            const address = `/projects/${id}${below}`;
            const isHere = below === "" ? path === address : path.startsWith(address);
            return (
              <li key={text}>
                <a href={hrefOf(address)} aria-current={isHere ? "page" : undefined}>
                  {text}
                </a>
              </li>
            );
          })}
        </ul>
      </nav>
      <div class="page-head">
        <h1>
          <bdi>{title}</bdi>
        </h1>
        {children}
      </div>
      <Refusal text={refusal} />
    </>
  );
}

export function useProject(id: number) {
  return useAnswer(`project ${id}`, () => answerOf(client.GET("/api/v4/projects/{id}", { params: { path: { id } } })));
}
