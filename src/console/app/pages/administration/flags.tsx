import { useState } from "preact/hooks";
import { client } from "../../api/client.ts";
import type { ItemOf } from "../../api/paths.ts";
import { Confirm, Dialog } from "../../parts/dialog.tsx";
import { KeysetList } from "../../parts/keyset-list.tsx";
import { SchemaForm } from "../../parts/schema-form.tsx";
import { attempt, showDone } from "../../state/toasts.ts";
import { FlagPreview } from "./flag-preview.tsx";

type Flag = ItemOf<"/api/v4/features">;

/** The feature flags and their gates. */
export default function Flags() {
  const [version, setVersion] = useState(0);
  /** A flag, or `null` for a new one. */
  const [setting, setSetting] = useState<Flag | null>();
  const [removing, setRemoving] = useState<Flag>();
  const [checking, setChecking] = useState<Flag>();
  const done = (text: string) => {
    setSetting(undefined);
    setRemoving(undefined);
    setVersion(version + 1);
    showDone(text);
  };
  const remove = ({ name }: Flag) =>
    attempt(async () => {
      await client.DELETE("/api/v4/features/{name}", { params: { path: { name } } });
      done(`${name} is back at its default`);
    });
  return (
    <>
      <div class="page-head">
        <h1>Feature flags</h1>
        <button type="button" class="primary" onClick={() => setSetting(null)}>
          Set a flag
        </button>
      </div>
      <KeysetList
        label="Feature flags"
        path="/api/v4/features"
        version={version}
        keyOf={({ name }) => name}
        empty={
          <p>
            All flags are at their defaults: <code>outpost api POST /features/NAME -F value=true</code>
          </p>
        }
        columns={[
          { head: "Name", cell: ({ name }) => <span class="long">{name}</span> },
          { head: "State", cell: ({ state }) => state },
          { head: "Gates", cell: ({ gates }) => describeGates(gates) },
          { head: "Default", cell: ({ definition }) => defaultOf(definition) },
          {
            head: "Actions",
            cell: (flag) => (
              <span class="actions">
                <button type="button" onClick={() => setSetting(flag)}>
                  Set
                </button>
                <button type="button" onClick={() => setChecking(flag)}>
                  Check
                </button>
                <button type="button" class="danger" onClick={() => setRemoving(flag)}>
                  Delete
                </button>
              </span>
            ),
          },
        ]}
      />
      {setting !== undefined && (
        <SetFlag flag={setting} onClose={() => setSetting(undefined)} onDone={(name) => done(`${name} is set`)} />
      )}
      {checking !== undefined && (
        <Dialog title={`Who has ${checking.name}?`} onClose={() => setChecking(undefined)}>
          <FlagPreview name={checking.name} />
        </Dialog>
      )}
      {removing !== undefined && (
        <Confirm
          title={`Delete ${removing.name}?`}
          action="Delete"
          onClose={() => setRemoving(undefined)}
          onConfirm={() => void remove(removing)}
        >
          <p>Its gates are deleted, and the default counts again.</p>
        </Confirm>
      )}
    </>
  );
}

/** Describes the gates. A flag with gates is off for all others, which needs no text. */
function describeGates(gates: Flag["gates"]): string {
  const others = gates.filter(({ key }) => key !== "boolean");
  const isOn = gates.some(({ key, value }) => key === "boolean" && value === true);
  return (isOn || others.length === 0 ? gates : others).map(describeGate).join("; ");
}

function describeGate({ key, value }: Flag["gates"][number]): string {
  if (key === "boolean") return value === true ? "on for everybody" : "off for everybody";
  return `${key.replaceAll("_", " ")}: ${Array.isArray(value) ? value.join(", ") : String(value)}`;
}

function defaultOf(definition: Flag["definition"]): string {
  if (definition === null) return "";
  return "default_enabled" in definition && definition.default_enabled === true ? "on" : "off";
}

interface SetFlagProps {
  readonly flag: Flag | null;
  readonly onClose: () => void;
  readonly onDone: (name: string) => void;
}

function SetFlag({ flag, onClose, onDone }: SetFlagProps) {
  const [name, setName] = useState(flag?.name ?? "");
  return (
    <Dialog title={flag === null ? "Set a flag" : `Set ${flag.name}`} onClose={onClose}>
      {flag === null && (
        <div class="field">
          <label>
            Name <input value={name} required onInput={({ currentTarget }) => setName(currentTarget.value)} />
          </label>
        </div>
      )}
      <SchemaForm
        method="post"
        path="/api/v4/features/{name}"
        values={{ name }}
        fields={{ value: "Value", key: "Kind of percentage", user: "User", group: "Group", project: "Project" }}
        required={["value"]}
        action="Set"
        onAnswer={() => onDone(name)}
      />
    </Dialog>
  );
}
