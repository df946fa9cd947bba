import { useState } from "preact/hooks";
import { client } from "../../api/client.ts";
import type { ItemOf } from "../../api/paths.ts";
import { basePath } from "../../state/base.ts";
import { attempt, showDone } from "../../state/toasts.ts";
import { ConfirmButton } from "../buttons/confirm-button.tsx";
import { CopyButton } from "../buttons/copy-button.tsx";
import { FormButton } from "../buttons/form-button.tsx";
import { Dialog } from "../dialog.tsx";
import { KeysetList } from "../keyset-list.tsx";

type Runner = ItemOf<"/api/v4/runners/all">;

interface RunnerListProps {
  /** undefined means all runners of the instance, for administrators. */
  readonly projectId?: number;
}

const types = { instance_type: "every project", group_type: "a group", project_type: "a project" } as const;

/** The runners with their state. After the creation of one, it shows the command that registers it. */
export function RunnerList({ projectId }: RunnerListProps) {
  const [version, setVersion] = useState(0);
  const [token, setToken] = useState("");
  const reload = () => setVersion((before) => before + 1);
  const owner =
    projectId === undefined ? { runner_type: "instance_type" } : { runner_type: "project_type", project_id: projectId };
  return (
    <>
      <div class="actions">
        <FormButton
          isPrimary
          label="New runner"
          method="post"
          path="/api/v4/user/runners"
          fields={{
            description: "Description",
            tag_list: "Tags",
            run_untagged: "Takes jobs without tags",
            locked: "Locked",
          }}
          initial={{ run_untagged: true }}
          bodyOf={(values) => ({ ...values, ...owner })}
          action="Create"
          done="The runner is created"
          onDone={(made) => {
            setToken(made.token);
            reload();
          }}
        />
      </div>
      <KeysetList<"/api/v4/runners/all" | "/api/v4/projects/{id}/runners">
        label="Runners"
        path={projectId === undefined ? "/api/v4/runners/all" : "/api/v4/projects/{id}/runners"}
        values={projectId === undefined ? {} : { id: projectId }}
        query={{ per_page: 50 }}
        version={version}
        keyOf={({ id }) => id}
        empty={
          <p>
            No runner takes jobs yet: <code>outpost api POST /user/runners -F runner_type=instance_type</code>
          </p>
        }
        columns={[
          { head: "Runner", cell: ({ id, description }) => <bdi>{description || `Runner ${id}`}</bdi> },
          { head: "For", cell: ({ runner_type }) => types[runner_type as keyof typeof types] ?? runner_type },
          { head: "State", cell: (runner) => <State of={runner} /> },
          { head: "Actions", cell: (runner) => <Actions of={runner} onDone={reload} /> },
        ]}
      />
      {token !== "" && <Registration token={token} onClose={() => setToken("")} />}
    </>
  );
}

function State({ of: { paused, status } }: { readonly of: Runner }) {
  if (paused) return <span class="tag warning">paused</span>;
  return <span class={status === "online" ? "tag" : "weak"}>{status.replaceAll("_", " ")}</span>;
}

function Actions({ of: { id, description, paused }, onDone }: { readonly of: Runner; readonly onDone: () => void }) {
  const at = { params: { path: { id } } };
  const toggle = () =>
    attempt(async () => {
      await client.PUT("/api/v4/runners/{id}", { ...at, body: { paused: !paused } });
      showDone(paused ? "The runner takes jobs again" : "The runner takes no new jobs");
      onDone();
    });
  return (
    <span class="actions">
      <button type="button" onClick={() => void toggle()}>
        {paused ? "Resume" : "Pause"}
      </button>
      <ConfirmButton
        label="Delete"
        title={`Delete ${description || `runner ${id}`}?`}
        done="The runner is deleted"
        act={() => client.DELETE("/api/v4/runners/{id}", at)}
        onDone={onDone}
      >
        Its token stops working. Its program must be registered again.
      </ConfirmButton>
    </span>
  );
}

/** Shows the token once, in the command that registers the runner. */
function Registration({ token, onClose }: { readonly token: string; readonly onClose: () => void }) {
  const command = `gitlab-runner register --non-interactive --url ${location.origin}${basePath} --token ${token} --executor shell`;
  return (
    <Dialog title="Register the runner" onClose={onClose}>
      <p>Run this on the machine of the runner, now: nobody can show the token again.</p>
      <textarea class="code" rows={4} readOnly aria-label="Command" value={command} />
      <div class="actions">
        <CopyButton text={command} />
      </div>
    </Dialog>
  );
}
