import { useState } from "preact/hooks";
import { client, send } from "../../api/client.ts";
import { addressOf } from "../../api/paths.ts";
import { Confirm, Dialog } from "../../parts/dialog.tsx";
import { Facts } from "../../parts/facts.tsx";
import { Moment } from "../../parts/moment.tsx";
import { ProjectHead, useProject } from "../../parts/project/project-head.tsx";
import { SchemaForm } from "../../parts/schema-form.tsx";
import { useAnswer } from "../../parts/use-answer.ts";
import { go } from "../../state/router.ts";
import { me } from "../../state/session.ts";
import { attempt, showDone } from "../../state/toasts.ts";
import type { PageProps } from "../index.ts";

type Project = NonNullable<ReturnType<typeof useProject>["data"]>;

/** One project: what it is, and its README. */
export default function ProjectPage({ params }: PageProps) {
  const id = Number(params.id);
  const { data: project, reload } = useProject(id);
  return (
    <>
      <ProjectHead id={id} title={project?.name ?? "Project"}>
        {project !== undefined && <Actions project={project} onChange={reload} />}
      </ProjectHead>
      {project !== undefined && (
        <>
          <Facts
            of={[
              ["Path", project.path_with_namespace],
              ["Visibility", ("visibility" in project && project.visibility) || "not shown"],
              ["Default branch", project.default_branch ?? "none"],
              ["Clone", project.http_url_to_repo],
              ["Storage", project.repository_storage ?? "not shown"],
              ["Archived", isArchived(project) ? "yes" : "no"],
              ["Since", <Moment key="since" at={project.created_at} />],
              ["Last active", <Moment key="last" at={project.last_activity_at} />],
            ]}
          />
          {project.description !== null && (
            <p>
              <bdi>{project.description}</bdi>
            </p>
          )}
          <Readme id={id} branch={project.default_branch ?? null} />
        </>
      )}
    </>
  );
}

function Readme({ id, branch }: { readonly id: number; readonly branch: string | null }) {
  const ask = async () => {
    if (branch === null) return "";
    const path = "/api/v4/projects/{id}/repository/tree";
    const listed = await client.GET(path, { params: { path: { id }, query: { per_page: 100 } } });
    const name = listed.data?.map((entry) => entry.name).find((each) => /^readme(\.\w+)?$/i.test(each));
    if (name === undefined) return "";
    const raw = addressOf(
      "/api/v4/projects/{id}/repository/files/{file_path}/raw",
      { id, file_path: name },
      { ref: branch },
    );
    return (await send(new URL(raw, location.origin).href)).text();
  };
  const { data: text } = useAnswer(`readme ${id} ${branch}`, ask);
  if (!text) return <p class="empty">The project has no README.</p>;
  return (
    <>
      <h2>README</h2>
      <pre class="code text">{text}</pre>
    </>
  );
}

/** Callers who see little of a project are not told. */
function isArchived(project: Project): boolean {
  return "archived" in project && project.archived === true;
}

interface ActionsProps {
  readonly project: Project;
  readonly onChange: () => void;
}

function Actions({ project, onChange }: ActionsProps) {
  const [open, setOpen] = useState<"move" | "delete">();
  const at = { params: { path: { id: project.id } } };
  const toggleArchived = () =>
    attempt(async () => {
      await client.POST(`/api/v4/projects/{id}/${isArchived(project) ? "unarchive" : "archive"}`, at);
      showDone(isArchived(project) ? "The project is back" : "The project is archived");
      onChange();
    });
  return (
    <div class="actions">
      {me().is_admin && (
        <button type="button" onClick={() => setOpen("move")}>
          Move to another storage
        </button>
      )}
      <button type="button" onClick={() => void toggleArchived()}>
        {isArchived(project) ? "Unarchive" : "Archive"}
      </button>
      <button type="button" class="danger" onClick={() => setOpen("delete")}>
        Delete
      </button>
      {open === "move" && (
        <Dialog title="Move to another storage" onClose={() => setOpen(undefined)}>
          <SchemaForm
            method="post"
            path="/api/v4/projects/{id}/repository_storage_moves"
            fields={{ destination_storage_name: "To" }}
            action="Move"
            onSubmit={async (values) => {
              await client.POST("/api/v4/projects/{id}/repository_storage_moves", { ...at, body: values });
              showDone("The move is scheduled");
              go("/storage-moves");
            }}
          />
        </Dialog>
      )}
      {open === "delete" && <DeleteProject project={project} onClose={() => setOpen(undefined)} />}
    </div>
  );
}

function DeleteProject({ project, onClose }: { readonly project: Project; readonly onClose: () => void }) {
  const [typed, setTyped] = useState("");
  const path = project.path_with_namespace;
  const remove = () =>
    attempt(async () => {
      await client.DELETE("/api/v4/projects/{id}", { params: { path: { id: project.id } } });
      showDone(`${path} is being deleted`);
      go("/projects");
    });
  return (
    <Confirm
      title={`Delete ${path}?`}
      action="Delete"
      isDisabled={typed !== path}
      onClose={onClose}
      onConfirm={() => void remove()}
    >
      <p>Its repository, issues, pipelines and packages go with it, and cannot come back.</p>
      <div class="field">
        <label>
          Type its path <input value={typed} onInput={({ currentTarget }) => setTyped(currentTarget.value)} />
        </label>
      </div>
    </Confirm>
  );
}
