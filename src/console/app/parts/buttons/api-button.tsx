import { useState } from "preact/hooks";
import { answerTextOf } from "../../api/answer-text.ts";
import { curlOf, type ShownCall } from "../../api/curl.ts";
import { exampleAnswerOf } from "../../api/schemas.ts";
import { attempt } from "../../state/toasts.ts";
import { Dialog } from "../dialog.tsx";
import { useAnswer } from "../hooks/use-answer.ts";
import { Refusal } from "../refusal.tsx";
import { CopyButton } from "./copy-button.tsx";

interface ApiButtonProps {
  /** The call, or a function that makes it from what the user has typed. The button shows an error that it throws. */
  readonly call: ShownCall | (() => ShownCall | Promise<ShownCall>);
  /** The operation's path in the API document, for a call that changes something. */
  readonly path?: string;
}

/** Shows how a script makes the call of a list or a form, and its answer. */
export function ApiButton({ call, path }: ApiButtonProps) {
  const [shown, setShown] = useState<ShownCall>();
  const show = () => attempt(async () => setShown(await (typeof call === "function" ? call() : call)));
  return (
    <>
      <button type="button" class="quiet" onClick={() => void show()}>
        API
      </button>
      {shown !== undefined && (
        <Dialog title="The same by a script" onClose={() => setShown(undefined)}>
          <p>Put an access token into the variable TOKEN.</p>
          <textarea class="code" rows={4} readOnly aria-label="Command" value={curlOf(shown)} />
          <div class="actions">
            <CopyButton text={curlOf(shown)} />
          </div>
          {shown.method === "GET" ? (
            <Answer address={shown.address} />
          ) : (
            path !== undefined && <Example method={shown.method} path={path} />
          )}
        </Dialog>
      )}
    </>
  );
}

function Answer({ address }: { readonly address: string }) {
  const [text, setText] = useState("");
  const ask = () => attempt(async () => setText(await answerTextOf(address)));
  return (
    <>
      <div class="actions">
        <button type="button" onClick={() => void ask()}>
          Show the answer
        </button>
      </div>
      {text !== "" && <textarea class="code" rows={10} readOnly aria-label="Answer" value={text} />}
    </>
  );
}

/** The example answer from the API document, since the call would change something. */
function Example({ method, path }: { readonly method: string; readonly path: string }) {
  const { data, refusal } = useAnswer(`${method} ${path}`, async () => (await exampleAnswerOf(method, path)) ?? null);
  if (refusal !== "") return <Refusal text={refusal} />;
  if (!data) return null;
  const text = data.body === undefined ? data.status : `${data.status}\n\n${JSON.stringify(data.body, null, 2)}`;
  return (
    <>
      <p>An answer in the demo:</p>
      <textarea class="code" rows={10} readOnly aria-label="Answer" value={text} />
    </>
  );
}
