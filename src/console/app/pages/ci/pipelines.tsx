import { FormButton } from "../../parts/buttons/form-button.tsx";
import { KeysetList } from "../../parts/keyset-list.tsx";
import { Moment } from "../../parts/moment.tsx";
import { AddFile } from "../../parts/project/add-file.tsx";
import { ProjectHead, useProject } from "../../parts/project/project-head.tsx";
import { Status } from "../../parts/project/status.tsx";
import { go, hrefOf } from "../../state/router.ts";
import type { PageProps } from "../index.ts";

/** The pipelines of a project, newest first. */
export default function Pipelines({ params }: PageProps) {
  const id = Number(params.id);
  const { data: project } = useProject(id);
  return (
    <>
      <ProjectHead id={id} title="Pipelines">
        {project !== undefined && (
          <FormButton
            isPrimary
            label="Run a pipeline"
            method="post"
            path="/api/v4/projects/{id}/pipeline"
            values={{ id }}
            fields={{ ref: "Branch or tag", variables: "Variables" }}
            long={["variables"]}
            initial={{ ref: project.default_branch ?? "main" }}
            help={{ variables: "One on each line: NAME=value" }}
            bodyOf={withVariables}
            action="Run"
            done="The pipeline is created"
            onDone={(pipeline) => go(`/projects/${id}/pipelines/${pipeline.id}`)}
          />
        )}
      </ProjectHead>
      <KeysetList
        label="Pipelines"
        path="/api/v4/projects/{id}/pipelines"
        values={{ id }}
        query={{ per_page: 50 }}
        keyOf={(pipeline) => pipeline.id}
        empty={
          <p>
            No pipeline ran yet. Put a CI file into the repository, then run one:{" "}
            <AddFile id={id} name=".gitlab-ci.yml" />
          </p>
        }
        columns={[
          {
            head: "Pipeline",
            cell: (pipeline) => <a href={hrefOf(`/projects/${id}/pipelines/${pipeline.id}`)}>{pipeline.id}</a>,
          },
          { head: "Status", cell: ({ status }) => <Status of={status} /> },
          { head: "Ref", cell: ({ ref }) => <bdi class="long">{ref}</bdi> },
          { head: "Commit", cell: ({ sha }) => <code>{sha.slice(0, 8)}</code> },
          { head: "Source", cell: ({ source }) => source.replaceAll("_", " ") },
          { head: "Created", cell: ({ created_at }) => <Moment at={created_at} /> },
        ]}
      />
    </>
  );
}

/** Converts `variables` into the form of the API. */
function withVariables(values: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  if (!Array.isArray(values.variables)) return values;
  const variables = values.variables.map((line: string) => {
    const [key = "", ...rest] = line.split("=");
    return { key: key.trim(), value: rest.join("=") };
  });
  return { ...values, variables };
}
