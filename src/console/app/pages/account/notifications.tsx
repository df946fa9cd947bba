import { useState } from "preact/hooks";
import { answerOf, client } from "../../api/client.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { SearchField } from "../../parts/filters.tsx";
import { useAnswer } from "../../parts/hooks/use-answer.ts";
import { KeysetList } from "../../parts/keyset-list.tsx";
import { Refusal } from "../../parts/refusal.tsx";
import { SchemaForm } from "../../parts/schema-form.tsx";
import { place } from "../../state/router.ts";
import { showDone } from "../../state/toasts.ts";
import { AccountTabs } from "./account-tabs.tsx";

const levels = {
  participating: "Participating: what you take part in",
  watch: "Watch: everything",
  mention: "Mention: where somebody names you",
  custom: "Custom: the kinds of events chosen by the API",
  disabled: "Disabled: nothing",
} as const;
const levelsBelow = { global: "Global: as for everything", ...levels } as const;

/** The user's notification settings: global, and for each group and project. */
export default function Notifications() {
  const search = place.value.query.get("search") ?? "";
  return (
    <>
      <AccountTabs />
      <div class="page-head">
        <h1>Notifications</h1>
      </div>
      <GlobalLevel />
      <h2>In groups and projects</h2>
      <search class="filters">
        <SearchField />
      </search>
      <h3>Groups</h3>
      <Sources kind="groups" search={search} />
      <h3>Projects</h3>
      <Sources kind="projects" search={search} />
    </>
  );
}

function GlobalLevel() {
  const { data, refusal, reload } = useAnswer("notifications", () =>
    answerOf(client.GET("/api/v4/notification_settings")),
  );
  if (data === undefined) return <Refusal text={refusal} />;
  return (
    <SchemaForm
      key={JSON.stringify(data)}
      method="put"
      path="/api/v4/notification_settings"
      fields={{ level: "Mails about everything", notification_email: "To the address" }}
      required={["level"]}
      choices={{ level: levels }}
      help={{ level: "Groups and projects may have another level.", notification_email: "One of your confirmed ones." }}
      initial={data}
      action="Save"
      onAnswer={() => {
        showDone("The level is stored");
        reload();
      }}
    />
  );
}

interface Source {
  readonly kind: "groups" | "projects";
  readonly id: number;
  readonly name: string;
}

/** The groups or projects in which the user has a role, each with its level. */
function Sources({ kind, search }: { readonly kind: Source["kind"]; readonly search: string }) {
  const [open, setOpen] = useState<Source>();
  const button = (id: number, name: string) => (
    <button type="button" onClick={() => setOpen({ kind, id, name })}>
      Change the level
    </button>
  );
  const filter = search === "" ? {} : { search };
  return (
    <>
      {kind === "groups" ? (
        <KeysetList
          label="Groups"
          path="/api/v4/groups"
          query={{ min_access_level: 10, per_page: 20, ...filter }}
          keyOf={({ id }) => id}
          empty={<NoneYet kind="group" />}
          columns={[
            { head: "Group", cell: ({ full_path }) => <bdi class="long">{full_path}</bdi> },
            { head: "Actions", cell: ({ id, full_path }) => button(id, full_path) },
          ]}
        />
      ) : (
        <KeysetList
          label="Projects"
          path="/api/v4/projects"
          query={{ membership: true, simple: true, per_page: 20, ...filter }}
          keyOf={({ id }) => id}
          empty={<NoneYet kind="project" />}
          columns={[
            { head: "Project", cell: ({ path_with_namespace: path }) => <bdi class="long">{path}</bdi> },
            { head: "Actions", cell: ({ id, path_with_namespace: path }) => button(id, path) },
          ]}
        />
      )}
      {open !== undefined && <LevelDialog of={open} onClose={() => setOpen(undefined)} />}
    </>
  );
}

function NoneYet({ kind }: { readonly kind: string }) {
  return (
    <p>
      You have a role in no {kind} that fits: <code>outpost api GET /{kind}s</code> lists those that you see.
    </p>
  );
}

function LevelDialog({ of: { kind, id, name }, onClose }: { readonly of: Source; readonly onClose: () => void }) {
  const { data, refusal } = useAnswer(`notifications ${kind} ${id}`, () =>
    answerOf(client.GET(`/api/v4/${kind}/{id}/notification_settings`, { params: { path: { id } } })),
  );
  return (
    <Dialog title={`Mails about ${name}`} onClose={onClose}>
      <Refusal text={refusal} />
      {data !== undefined && (
        <SchemaForm
          method="put"
          path={`/api/v4/${kind}/{id}/notification_settings`}
          values={{ id }}
          fields={{ level: "Level" }}
          required={["level"]}
          choices={{ level: levelsBelow }}
          initial={data}
          action="Save"
          onAnswer={() => {
            showDone("The level is stored");
            onClose();
          }}
        />
      )}
    </Dialog>
  );
}
