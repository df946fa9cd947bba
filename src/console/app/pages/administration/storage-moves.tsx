import { useEffect, useState } from "preact/hooks";
import { answerOf, client } from "../../api/client.ts";
import type { components } from "../../api/generated.d.ts";
import { FormButton } from "../../parts/buttons/form-button.tsx";
import { ChoiceField, choiceOf } from "../../parts/filters.tsx";
import { useAnswer } from "../../parts/hooks/use-answer.ts";
import { KeysetList } from "../../parts/keyset-list.tsx";
import { bytesText, Figure, Moment } from "../../parts/moment.tsx";

const kinds = { project: "Projects", snippet: "Snippets", group: "Groups" } as const;

type MovesPath = `/api/v4/${keyof typeof kinds}_repository_storage_moves`;
type Move = components["schemas"]["ProjectStorageMove" | "SnippetStorageMove" | "GroupStorageMove"];

/** The interval of polling: there is no event for finished moves. */
const everyMs = 2_000;

/** The moves of repositories between storages. */
export default function StorageMoves() {
  const kind = choiceOf("kind", kinds);
  const path: MovesPath = `/api/v4/${kind}_repository_storage_moves`;
  const [version, setVersion] = useState(0);
  const { data: storages } = useAnswer("storages", () => answerOf(client.GET("/-/storages")));
  const names = Object.fromEntries((storages ?? []).map(({ name }) => [name, name]));
  const reload = () => setVersion((before) => before + 1);
  useEffect(() => {
    const timer = setInterval(() => !document.hidden && reload(), everyMs);
    return () => clearInterval(timer);
  }, []);
  return (
    <>
      <div class="page-head">
        <h1>Storage moves</h1>
        <FormButton
          isPrimary
          label={`Move all ${kinds[kind].toLowerCase()} of a storage`}
          method="post"
          path={path}
          fields={{ source_storage_name: "From", destination_storage_name: "To" }}
          required={["source_storage_name"]}
          choices={{ source_storage_name: names, destination_storage_name: names }}
          action="Schedule"
          done="The moves are scheduled"
          onDone={reload}
        />
      </div>
      <Storages version={version} />
      <search class="filters">
        <ChoiceField name="kind" label="Moves of" choices={kinds} />
      </search>
      <KeysetList
        label="Storage moves"
        path={path}
        version={version}
        keyOf={({ id }) => id}
        empty={
          <p>
            Nothing was moved yet: <code>outpost api POST {path.slice("/api/v4".length)}</code>
          </p>
        }
        columns={[
          { head: "Of", cell: (move) => <bdi>{subjectOf(move)}</bdi> },
          { head: "From", cell: ({ source_storage_name }) => source_storage_name },
          { head: "To", cell: ({ destination_storage_name }) => destination_storage_name },
          { head: "State", cell: (move) => <MoveState of={move} /> },
          { head: "Since", cell: ({ created_at }) => <Moment at={created_at} /> },
        ]}
      />
    </>
  );
}

/** The storages with their number of repositories. */
function Storages({ version }: { readonly version: number }) {
  return (
    <KeysetList
      label="Storages"
      path="/-/storages"
      version={version}
      keyOf={({ name }) => name}
      empty={null}
      columns={[
        { head: "Storage", cell: ({ name }) => name },
        { head: "Projects", cell: ({ projects }) => <Figure of={projects} /> },
        { head: "Snippets", cell: ({ snippets }) => <Figure of={snippets} /> },
        { head: "Groups", cell: ({ groups }) => <Figure of={groups} /> },
        {
          head: "Disk",
          cell: ({ free_bytes, disk_bytes }) =>
            free_bytes === null || disk_bytes === null
              ? "unknown"
              : `${bytesText(free_bytes)} free of ${bytesText(disk_bytes)}`,
        },
      ]}
    />
  );
}

function subjectOf(move: Move): string {
  if ("project" in move) return move.project.path_with_namespace;
  return "snippet" in move ? move.snippet.title : move.group.name;
}

function MoveState({ of: { state, error_message } }: { readonly of: Move }) {
  const isFailed = state === "failed" || state === "cleanup failed";
  return (
    <>
      <span class={isFailed ? "tag warning" : ""}>{state}</span>
      {error_message !== null && <span class="weak"> {error_message}</span>}
    </>
  );
}
