import { useState } from "preact/hooks";
import { answerOf, client } from "../../api/client.ts";
import type { paths } from "../../api/generated.d.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { KeysetList } from "../../parts/keyset-list.tsx";
import { Moment } from "../../parts/moment.tsx";
import { ProjectHead } from "../../parts/project/project-head.tsx";
import { Status } from "../../parts/project/status.tsx";
import { SchemaForm } from "../../parts/schema-form.tsx";
import { go, hrefOf } from "../../state/router.ts";
import type { PageProps } from "../index.ts";

type NewPipeline = NonNullable<
  paths["/api/v4/projects/{id}/pipeline"]["post"]["requestBody"]
>["content"]["application/json"];

/** The pipelines of one project, newest first. */
export default function Pipelines({ params }: PageProps) {
  const id = Number(params.id);
  const [isRunning, setRunning] = useState(false);
  return (
    <>
      <ProjectHead id={id} title="Pipelines">
        <button type="button" class="primary" onClick={() => setRunning(true)}>
          Run a pipeline
        </button>
      </ProjectHead>
      <KeysetList
        label="Pipelines"
        path="/api/v4/projects/{id}/pipelines"
        values={{ id }}
        query={{ per_page: 50 }}
        keyOf={(pipeline) => pipeline.id}
        empty={
          <p>
            No pipeline ran yet. Put a <code>.gitlab-ci.yml</code> into the repository, then run one.
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
      {isRunning && (
        <Dialog title="Run a pipeline" onClose={() => setRunning(false)}>
          <SchemaForm
            method="post"
            path="/api/v4/projects/{id}/pipeline"
            fields={{ ref: "Branch or tag" }}
            initial={{ ref: "main" }}
            action="Run"
            onSubmit={async (values) => {
              const call = client.POST("/api/v4/projects/{id}/pipeline", {
                params: { path: { id } },
                body: values as NewPipeline,
              });
              go(`/projects/${id}/pipelines/${(await answerOf(call)).id}`);
            }}
          />
        </Dialog>
      )}
    </>
  );
}
