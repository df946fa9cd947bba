import { useState } from "preact/hooks";
import { answerOf, client } from "../../api/client.ts";
import type { components } from "../../api/generated.d.ts";
import { addressOf } from "../../api/paths.ts";
import { ApiButton } from "../../parts/buttons/api-button.tsx";
import { attempt } from "../../state/toasts.ts";

type FeatureState = components["schemas"]["FeatureState"];

/** The kinds of targets, each with an example of its name in the API. */
const kinds = {
  user: ["User", "priya"],
  group: ["Group", "acme/cloud"],
  project: ["Project", "acme/cloud/ingest"],
} as const;
type Kind = keyof typeof kinds;

/** Shows whether a flag is enabled for a user, group or project, and why. */
export function FlagPreview({ name }: { readonly name: string }) {
  const [kind, setKind] = useState<Kind>("user");
  const [target, setTarget] = useState("");
  const [found, setFound] = useState<FeatureState>();
  const query = { [kind]: target };
  const ask = () =>
    attempt(async () => {
      setFound(await answerOf(client.GET("/-/features/{name}", { params: { path: { name }, query } })));
    });
  return (
    <>
      <form
        class="filters"
        onSubmit={(event) => {
          event.preventDefault();
          void ask();
        }}
      >
        <label>
          Kind{" "}
          <select value={kind} onChange={({ currentTarget }) => setKind(currentTarget.value as Kind)}>
            {Object.entries(kinds).map(([value, [label]]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        </label>
        <label>
          Username or path{" "}
          <input
            value={target}
            required
            placeholder={kinds[kind][1]}
            onInput={({ currentTarget }) => setTarget(currentTarget.value)}
          />
        </label>
        <button type="submit">Check</button>
        <ApiButton call={{ method: "GET", address: addressOf("/-/features/{name}", { name }, query) }} />
      </form>
      <div aria-live="polite">
        {found !== undefined && (
          <p class={found.state === "on" ? "good" : ""}>
            {stateTexts[found.state]}: {found.reason}.
          </p>
        )}
      </div>
    </>
  );
}

const stateTexts = { on: "On", off: "Off", sometimes: "On for some requests" } as const;
