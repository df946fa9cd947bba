import { useRef, useState } from "preact/hooks";
import { client } from "../../../api/client.ts";
import { addressOf, type ItemOf } from "../../../api/paths.ts";
import { ApiButton } from "../../../parts/buttons/api-button.tsx";
import { Dialog } from "../../../parts/dialog.tsx";
import { KeysetList } from "../../../parts/keyset-list.tsx";
import { Figure } from "../../../parts/moment.tsx";
import { attempt, showDone } from "../../../state/toasts.ts";

type Fault = ItemOf<"/-/sandbox/faults">;

/** The labels of the effects, and the bounds of those with a number. */
const effects = {
  code: { text: "Answers the status", number: 503, min: 400, max: 599 },
  wait_ms: { text: "Waits milliseconds", number: 2000, min: 0, max: 60_000 },
  truncate_after: { text: "Cuts the body after bytes", number: 100, min: 0, max: 2 ** 30 },
  bytes_per_second: { text: "Sends the body at bytes a second", number: 1000, min: 1, max: 2 ** 30 },
  drop: { text: "Closes the connection, nothing is done" },
  apply_then_drop: { text: "Does the work, then closes the connection" },
} as const;
type Effect = keyof typeof effects;
const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;

/** The fault rules of the sandbox. */
export function Faults({ version, onChange }: { readonly version: number; readonly onChange: () => void }) {
  const [isMaking, setMaking] = useState(false);
  const remove = (id: number) =>
    attempt(async () => {
      await client.DELETE("/-/sandbox/faults/{id}", { params: { path: { id } } });
      showDone("The rule is deleted");
      onChange();
    });
  return (
    <>
      <div class="actions">
        <button type="button" onClick={() => setMaking(true)}>
          New rule
        </button>
      </div>
      <KeysetList
        label="Faults"
        path="/-/sandbox/faults"
        version={version}
        keyOf={({ id }) => id}
        empty={
          <p>
            No request fails on purpose. A rule makes requests fail; <code>Prefer: code=503</code> does it to one.
          </p>
        }
        columns={[
          { head: "Requests", cell: (fault) => <span class="long">{matchText(fault)}</span> },
          { head: "Effect", cell: (fault) => effectText(fault) },
          { head: "Hit", cell: ({ hits, times }) => <Hits hits={hits} times={times} /> },
          {
            head: "Actions",
            cell: ({ id }) => (
              <button type="button" class="danger" onClick={() => void remove(id)}>
                Delete
              </button>
            ),
          },
        ]}
      />
      {isMaking && (
        <Dialog title="New rule for faults" onClose={() => setMaking(false)}>
          <FaultForm
            onDone={() => {
              setMaking(false);
              onChange();
            }}
          />
        </Dialog>
      )}
    </>
  );
}

function Hits({ hits, times }: Pick<Fault, "hits" | "times">) {
  return (
    <>
      <Figure of={hits} />
      {times !== null && (
        <>
          {" of "}
          <Figure of={times} />
        </>
      )}
    </>
  );
}

function FaultForm({ onDone }: { readonly onDone: () => void }) {
  const [effect, setEffect] = useState<Effect>("code");
  const chosen = effects[effect];
  const form = useRef<HTMLFormElement>(null);
  const bodyOfForm = () => {
    const given = new FormData(form.current ?? undefined);
    const textOf = (name: string) => String(given.get(name) ?? "");
    const match = Object.fromEntries(
      ["method", "route", "user"].map((name) => [name, textOf(name)] as const).filter(([, text]) => text !== ""),
    );
    const times = textOf("times");
    return {
      match,
      effect: { [effect]: "number" in chosen ? Number(textOf("number")) : true },
      ...(times === "" ? {} : { times: Number(times) }),
    };
  };
  const create = () =>
    attempt(async () => {
      await client.POST("/-/sandbox/faults", { body: bodyOfForm() });
      showDone("The rule is made");
      onDone();
    });
  return (
    <form
      ref={form}
      onSubmit={(event) => {
        event.preventDefault();
        void create();
      }}
    >
      <p>All that you fill in has to fit a request.</p>
      <label class="field">
        Method
        <select name="method">
          <option value="">any</option>
          {methods.map((method) => (
            <option key={method}>{method}</option>
          ))}
        </select>
      </label>
      <label class="field">
        Route, as the API reference has it
        <input name="route" maxLength={255} placeholder="/projects/:id/issues" />
      </label>
      <label class="field">
        Username of the caller
        <input name="user" maxLength={255} />
      </label>
      <label class="field">
        Effect
        <select value={effect} onChange={({ currentTarget }) => setEffect(currentTarget.value as Effect)}>
          {Object.entries(effects).map(([name, { text }]) => (
            <option key={name} value={name}>
              {text}
            </option>
          ))}
        </select>
      </label>
      {"number" in chosen && (
        <label class="field" key={effect}>
          Number
          <input name="number" type="number" required min={chosen.min} max={chosen.max} value={chosen.number} />
        </label>
      )}
      <label class="field">
        How many requests; empty: any number
        <input name="times" type="number" min={1} max={1_000_000} value={1} />
      </label>
      <div class="actions">
        <button type="submit">Make</button>
        <ApiButton
          call={() => ({ method: "POST", address: addressOf("/-/sandbox/faults"), body: bodyOfForm() })}
          path="/-/sandbox/faults"
        />
      </div>
    </form>
  );
}

function matchText({ match }: Fault): string {
  const parts = Object.entries(match).map(([name, value]) => (name === "method" ? value : `${name} ${value}`));
  return parts.length === 0 ? "all" : parts.join(", ");
}

function effectText({ effect }: Fault): string {
  return Object.entries(effect)
    .map(([name, value]) => (value === true ? name.replaceAll("_", " ") : `${name.replaceAll("_", " ")} ${value}`))
    .join(", ");
}
