import { useState } from "preact/hooks";
import { answerOf, client } from "../api/client.ts";
import type { components } from "../api/generated.d.ts";
import { addressOf } from "../api/paths.ts";
import { attempt } from "../state/toasts.ts";
import { ApiButton } from "./buttons/api-button.tsx";
import { Facts } from "./facts.tsx";

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

type Explanation = components["schemas"]["CallExplanation"];

interface ExplainFormProps {
  /** Default: the form asks for it. */
  readonly userId?: number;
  /** The initial path. */
  readonly path?: string;
}

/** Shows whether a user may make a call, and why. */
export function ExplainForm({ userId, path: firstPath = "" }: ExplainFormProps) {
  const [username, setUsername] = useState("");
  const [method, setMethod] = useState<(typeof methods)[number]>("GET");
  const [path, setPath] = useState(firstPath);
  const [found, setFound] = useState<Explanation>();
  const queryOf = async () => ({
    ...{ user_id: userId ?? (await idOf(username)), method },
    path: path.replace(/^\/?(?:api\/v4)?\/?/, "/"),
  });
  const ask = () =>
    attempt(async () => {
      setFound(await answerOf(client.GET("/-/explanation", { params: { query: await queryOf() } })));
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
        {userId === undefined && (
          <label>
            Username{" "}
            <input
              value={username}
              required
              autocomplete="off"
              onInput={({ currentTarget }) => setUsername(currentTarget.value)}
            />
          </label>
        )}
        <label>
          Method{" "}
          <select value={method} onChange={({ currentTarget }) => setMethod(currentTarget.value as typeof method)}>
            {methods.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </select>
        </label>
        <label>
          Path{" "}
          <input
            value={path}
            required
            placeholder="/projects/group/project/issues"
            onInput={({ currentTarget }) => setPath(currentTarget.value)}
          />
        </label>
        <button type="submit">Explain</button>
        <ApiButton call={async () => ({ method: "GET", address: addressOf("/-/explanation", {}, await queryOf()) })} />
      </form>
      <div aria-live="polite">{found !== undefined && <Answer of={found} />}</div>
    </>
  );
}

async function idOf(username: string): Promise<number> {
  if (username === "") throw new Error("Type a username first.");
  const [user] = await answerOf(client.GET("/api/v4/users", { params: { query: { username } } }));
  if (user === undefined) throw new Error(`Nobody has the username ${username}.`);
  return user.id;
}

function Answer({ of: { operation, rule, role, ways, allowed, reason } }: { readonly of: Explanation }) {
  return (
    <>
      <p class={allowed ? "good" : "refusal"}>{allowed ? `Allowed: ${reason}` : `Refused: ${reason}`}</p>
      <Facts
        of={[
          ["Operation", `${operation.method} ${operation.path}: ${operation.summary}`],
          ["Who may", rule],
          ["Role there", role === null ? "none" : `${role.name} (${role.access_level})`],
          ["Comes from", ways.map(({ name, from }) => `${name}: ${from}`).join("; ") || "nothing"],
        ]}
      />
    </>
  );
}
