import { useState } from "preact/hooks";
import { answerOf, client } from "../../../api/client.ts";
import { addressOf, type ItemOf } from "../../../api/paths.ts";
import { ApiButton } from "../../../parts/buttons/api-button.tsx";
import { Confirm, Dialog } from "../../../parts/dialog.tsx";
import { Facts } from "../../../parts/facts.tsx";
import { useAnswer } from "../../../parts/hooks/use-answer.ts";
import { KeysetList } from "../../../parts/keyset-list.tsx";
import { Figure, Moment } from "../../../parts/moment.tsx";
import { Refusal } from "../../../parts/refusal.tsx";
import { SchemaForm } from "../../../parts/schema-form.tsx";
import { attempt, showDone } from "../../../state/toasts.ts";
import { Faults } from "./faults.tsx";
import { Requests } from "./requests.tsx";

/** The sandbox's clock, checkpoints, faults and recorded requests. */
export default function Sandbox() {
  const [version, setVersion] = useState(0);
  const reload = () => setVersion((before) => before + 1);
  return (
    <>
      <div class="page-head">
        <h1>Sandbox</h1>
        <Reset onDone={reload} />
      </div>
      <h2>Clock</h2>
      <Clock key={version} />
      <h2>Checkpoints</h2>
      <Checkpoints version={version} onChange={reload} />
      <h2>Faults</h2>
      <Faults version={version} onChange={reload} />
      <h2>Requests</h2>
      <Requests version={version} onChange={reload} />
    </>
  );
}

function Reset({ onDone }: { readonly onDone: () => void }) {
  const [isAsking, setAsking] = useState(false);
  const reset = () =>
    attempt(async () => {
      await client.POST("/-/sandbox/reset");
      setAsking(false);
      showDone("The sandbox is as after its first start");
      onDone();
    });
  return (
    <>
      <button type="button" class="danger" onClick={() => setAsking(true)}>
        Reset
      </button>
      {isAsking && (
        <Confirm
          title="Reset the sandbox?"
          action="Reset"
          onClose={() => setAsking(false)}
          onConfirm={() => void reset()}
        >
          <p>Everything goes back to the first start: documents, repositories, jobs and the clock.</p>
        </Confirm>
      )}
    </>
  );
}

function Clock() {
  const ask = () => answerOf(client.GET("/-/sandbox/clock"));
  const { data: clock, refusal, reload } = useAnswer("clock", ask);
  const [isSetting, setSetting] = useState(false);
  const change = (body: { frozen?: boolean; advance?: string; now?: string; rate?: number }) =>
    client.PUT("/-/sandbox/clock", { body });
  if (refusal !== "") return <Refusal text={refusal} />;
  if (clock === undefined) return <p role="status">Loading…</p>;
  const freeze = () =>
    attempt(async () => {
      await change({ frozen: !clock.frozen });
      reload();
    });
  return (
    <>
      <Facts
        of={[
          ["Now", <Moment key="now" at={clock.now} />],
          ["State", clock.frozen ? "stands still" : "goes on"],
          ["Ahead of the system", <Figure key="ahead" of={Math.round(clock.offset_ms / 1000)} />],
          ["Rate", clock.rate],
        ]}
      />
      <div class="actions">
        <button type="button" onClick={() => setSetting(true)}>
          Advance or set
        </button>
        <button type="button" onClick={() => void freeze()}>
          {clock.frozen ? "Let it go on" : "Stop it"}
        </button>
      </div>
      {isSetting && (
        <Dialog title="Advance or set the clock" onClose={() => setSetting(false)}>
          <p>Sessions and tokens expire by this clock, too.</p>
          <SchemaForm
            method="put"
            path="/-/sandbox/clock"
            fields={{ advance: "Advance by", now: "Set to", rate: "Rate" }}
            action="Change"
            onAnswer={(answer) => {
              setSetting(false);
              showDone(`The clock is changed; ${(answer as { jobs_run?: number }).jobs_run ?? 0} jobs ran`);
              reload();
            }}
          />
        </Dialog>
      )}
    </>
  );
}

interface CheckpointsProps {
  readonly version: number;
  readonly onChange: () => void;
}

type Checkpoint = ItemOf<"/-/sandbox/checkpoints">;

function Checkpoints({ version, onChange }: CheckpointsProps) {
  const [name, setName] = useState("");
  const [restoring, setRestoring] = useState<Checkpoint>();
  const act = (text: string, call: () => Promise<unknown>) =>
    attempt(async () => {
      await call();
      setRestoring(undefined);
      showDone(text);
      onChange();
    });
  const at = (checkpoint: string) => ({ params: { path: { name: checkpoint } } });
  const create = () =>
    act(`${name} is created`, async () => {
      await client.PUT("/-/sandbox/checkpoints/{name}", at(name));
      setName("");
    });
  return (
    <>
      <form
        class="filters"
        onSubmit={(event) => {
          event.preventDefault();
          void create();
        }}
      >
        <label>
          New checkpoint{" "}
          <input
            value={name}
            required
            maxLength={64}
            pattern="[A-Za-z0-9._\-]+"
            onInput={({ currentTarget }) => setName(currentTarget.value)}
          />
        </label>
        <button type="submit">Create</button>
        <ApiButton
          call={{ method: "PUT", address: addressOf("/-/sandbox/checkpoints/{name}", { name }) }}
          path="/-/sandbox/checkpoints/{name}"
        />
      </form>
      <KeysetList
        label="Checkpoints"
        path="/-/sandbox/checkpoints"
        version={version}
        keyOf={(checkpoint) => checkpoint.name}
        empty={
          <p>
            There is no checkpoint: <code>outpost api PUT /-/sandbox/checkpoints/NAME</code>
          </p>
        }
        columns={[
          { head: "Name", cell: (checkpoint) => <span class="long">{checkpoint.name}</span> },
          { head: "Created", cell: ({ created_at }) => <Moment at={created_at} /> },
          { head: "Documents", cell: ({ documents }) => <Figure of={documents} /> },
          {
            head: "Actions",
            cell: (checkpoint) => (
              <span class="actions">
                <button type="button" onClick={() => setRestoring(checkpoint)}>
                  Restore
                </button>
                <button
                  type="button"
                  class="danger"
                  onClick={() =>
                    void act(`${checkpoint.name} is deleted`, () =>
                      client.DELETE("/-/sandbox/checkpoints/{name}", at(checkpoint.name)),
                    )
                  }
                >
                  Delete
                </button>
              </span>
            ),
          },
        ]}
      />
      {restoring !== undefined && (
        <Confirm
          title={`Restore ${restoring.name}?`}
          action="Restore"
          onClose={() => setRestoring(undefined)}
          onConfirm={() =>
            void act(`${restoring.name} is restored`, () =>
              client.POST("/-/sandbox/checkpoints/{name}/restore", at(restoring.name)),
            )
          }
        >
          <p>Everything since then is undone. Later checkpoints are deleted.</p>
        </Confirm>
      )}
    </>
  );
}
