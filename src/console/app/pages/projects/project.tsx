import { answerOf, client, send } from "../../api/client.ts";
import { addressOf } from "../../api/paths.ts";
import { ConfirmButton } from "../../parts/buttons/confirm-button.tsx";
import { FormButton } from "../../parts/buttons/form-button.tsx";
import { Facts } from "../../parts/facts.tsx";
import { useAnswer } from "../../parts/hooks/use-answer.ts";
import { Moment } from "../../parts/moment.tsx";
import { AddFile } from "../../parts/project/add-file.tsx";
import { isEmptyRepository, type Project, ProjectHead, useProject } from "../../parts/project/project-head.tsx";
import { sizesText } from "../../parts/project/sizes.ts";
import { go } from "../../state/router.ts";
import { me } from "../../state/session.ts";
import { attempt, showDone } from "../../state/toasts.ts";
import type { PageProps } from "../index.ts";

/** A project with its README. */
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
              ["Sizes", sizesText("statistics" in project ? project.statistics : undefined)],
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
          <Readme id={id} branch={isEmptyRepository(project) ? null : (project.default_branch ?? null)} />
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
  if (text === undefined) return null;
  if (text === "") {
    return (
      <p class="empty">
        The project has no README: <AddFile id={id} name="README.md" />
      </p>
    );
  }
  return (
    <>
      <h2>README</h2>
      <pre class="code text">{text}</pre>
    </>
  );
}

/** True for an archived project. The API hides the field from some callers. */
function isArchived(project: Project): boolean {
  return "archived" in project && project.archived === true;
}

interface ActionsProps {
  readonly project: Project;
  readonly onChange: () => void;
}

const fields = {
  name: "Name",
  path: "Path",
  description: "Description",
  visibility: "Visibility",
  default_branch: "Default branch",
  topics: "Topics",
  issues_access_level: "Issues for",
  repository_access_level: "Repository for",
  builds_access_level: "Pipelines for",
  request_access_enabled: "Users may ask for access",
  shared_runners_enabled: "Takes runners of the instance",
} as const;

function Actions({ project, onChange }: ActionsProps) {
  const { id, path_with_namespace: fullPath } = project;
  const at = { params: { path: { id } } };
  const toggleArchived = () =>
    attempt(async () => {
      await client.POST(`/api/v4/projects/{id}/${isArchived(project) ? "unarchive" : "archive"}`, at);
      showDone(isArchived(project) ? "The project is back" : "The project is archived");
      onChange();
    });
  return (
    <>
      <FormButton
        label="Edit"
        title={`Edit ${fullPath}`}
        method="put"
        path="/api/v4/projects/{id}"
        values={{ id }}
        fields={fields}
        required={["name", "path"]}
        initial={project}
        action="Save"
        done="The changes are saved"
        onDone={onChange}
      />
      <FormButton
        label="Transfer"
        title={`Transfer ${fullPath}`}
        method="put"
        path="/api/v4/projects/{id}/transfer"
        values={{ id }}
        fields={{ namespace: "Path of the group to put it in" }}
        action="Transfer"
        done="The project is transferred"
        onDone={onChange}
      />
      {me().is_admin && <MoveButton id={id} storage={project.repository_storage} />}
      <button type="button" onClick={() => void toggleArchived()}>
        {isArchived(project) ? "Unarchive" : "Archive"}
      </button>
      <ConfirmButton
        label="Delete"
        title={`Delete ${fullPath}?`}
        typed={fullPath}
        done={`${fullPath} is being deleted`}
        act={() => client.DELETE("/api/v4/projects/{id}", at)}
        onDone={() => go("/projects")}
      >
        Its repository, issues, pipelines and packages go with it, and cannot come back.
      </ConfirmButton>
    </>
  );
}

interface MoveButtonProps {
  readonly id: number;
  readonly storage: string | undefined;
}

/** Moves the repository to another storage, if there is one. */
function MoveButton({ id, storage }: MoveButtonProps) {
  const { data: storages = [] } = useAnswer("storages", () => answerOf(client.GET("/-/storages")));
  const others = storages.map(({ name }) => name).filter((name) => name !== storage);
  if (others.length === 0) return null;
  return (
    <FormButton
      label="Move to another storage"
      method="post"
      path="/api/v4/projects/{id}/repository_storage_moves"
      values={{ id }}
      fields={{ destination_storage_name: "To" }}
      choices={{ destination_storage_name: Object.fromEntries(others.map((name) => [name, name])) }}
      initial={{ destination_storage_name: others[0] }}
      action="Move"
      done="The move is scheduled"
      onDone={() => go("/storage-moves")}
    />
  );
}
