import { useState } from "preact/hooks";
import { answerTextOf } from "../../../api/answer-text.ts";
import { answerOf, client } from "../../../api/client.ts";
import { curlOf, type ShownCall } from "../../../api/curl.ts";
import type { components } from "../../../api/generated.d.ts";
import { addressOf } from "../../../api/paths.ts";
import { CopyButton } from "../../../parts/buttons/copy-button.tsx";
import { Dialog } from "../../../parts/dialog.tsx";
import { Facts } from "../../../parts/facts.tsx";
import { useAnswer } from "../../../parts/hooks/use-answer.ts";
import { bytesText, Moment } from "../../../parts/moment.tsx";
import { Refusal } from "../../../parts/refusal.tsx";
import { attempt } from "../../../state/toasts.ts";

type Details = components["schemas"]["RecentRequestDetails"];

/** Credentials, which a repeated request sends as headers. */
const tokenNames = ["private_token", "access_token", "job_token"];

/** A recorded request, with ways to repeat it. */
export function RequestDialog({ id, onClose }: { readonly id: number; readonly onClose: () => void }) {
  const ask = () => answerOf(client.GET("/-/requests/{id}", { params: { path: { id } } }));
  const { data: seen, refusal } = useAnswer(`request ${id}`, ask);
  return (
    <Dialog
      title={seen === undefined ? `Request ${id}` : `${seen.method} ${seen.route ?? seen.path}`}
      onClose={onClose}
    >
      <Refusal text={refusal === "" ? "" : `${refusal}: the server remembers the last 2,000 requests only.`} />
      {seen !== undefined && (
        <>
          {seen.refusal !== null && <Refused of={seen} />}
          <RequestFacts of={seen} />
          <Again of={seen} />
        </>
      )}
    </Dialog>
  );
}

function Refused({ of: { refusal, explanation } }: { readonly of: Details }) {
  return (
    <div class="notices">
      <p>
        <strong>Why it was refused:</strong> {refusal}
      </p>
      {explanation !== null && <p>As the rights are now: {explanation}</p>}
    </div>
  );
}

function RequestFacts({ of: seen }: { readonly of: Details }) {
  const { parameters, request_bytes, response_bytes } = seen;
  return (
    <Facts
      of={[
        ["Answered", <Moment key="at" at={seen.at} isPrecise />],
        ["Status", seen.status],
        ["Time", `${seen.duration_ms} ms`],
        ["User", seen.username ?? "nobody"],
        ["Body", request_bytes === null ? "none, or of unknown length" : bytesText(request_bytes)],
        ["Answer", response_bytes === null ? "a stream" : bytesText(response_bytes)],
        ["Request id", <code key="id">{seen.request_id}</code>],
        [
          "Parameters",
          parameters.length === 0 ? "none" : parameters.map((each) => `${each.name} (${each.in})`).join(", "),
        ],
        ["Path", seen.path],
      ]}
    />
  );
}

/** The request as a curl command, and for a GET a button that makes it in the user's session. The user adds the values. */
function Again({ of: seen }: { readonly of: Details }) {
  const names = namesIn(seen, "query");
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const [answer, setAnswer] = useState("");
  const query = new URLSearchParams(
    names.map((name) => [name, values[name] ?? ""]).filter(([, value]) => value !== ""),
  );
  const bodyNames = namesIn(seen, "body");
  const call: ShownCall = {
    method: seen.method as ShownCall["method"],
    address: `${addressOf(seen.path)}${query.size === 0 ? "" : `?${query}`}`,
    ...(bodyNames.length === 0 ? {} : { body: Object.fromEntries(bodyNames.map((name) => [name, "…"])) }),
  };
  const repeat = () => attempt(async () => setAnswer(await answerTextOf(call.address)));
  return (
    <>
      {names.map((name) => (
        <label key={name} class="field">
          {name}{" "}
          <input
            value={values[name] ?? ""}
            onInput={({ currentTarget }) => setValues({ ...values, [name]: currentTarget.value })}
          />
        </label>
      ))}
      <textarea class="code" rows={3} readOnly aria-label="As curl" value={curlOf(call)} />
      <div class="actions">
        <CopyButton text={curlOf(call)} />
        {seen.method === "GET" && seen.path !== "" && !seen.path.endsWith("…") && (
          <button type="button" onClick={() => void repeat()}>
            Repeat as you
          </button>
        )}
      </div>
      {answer !== "" && <textarea class="code" rows={10} readOnly aria-label="Answer" value={answer} />}
    </>
  );
}

function namesIn({ parameters }: Details, place: "query" | "body"): readonly string[] {
  return parameters.filter((each) => each.in === place && !tokenNames.includes(each.name)).map(({ name }) => name);
}
