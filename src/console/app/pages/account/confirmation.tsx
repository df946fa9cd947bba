import { useState } from "preact/hooks";
import { answerOf, client } from "../../api/client.ts";
import { Refusal } from "../../parts/refusal.tsx";
import { hrefOf, place } from "../../state/router.ts";
import { explain, sentenceOf } from "../../state/toasts.ts";

/**
 * The page that confirms an email address, opened by a link in a mail. It waits for a click, so that a mail scanner confirms
 * nothing.
 */
export default function Confirmation() {
  const confirmation_token = place.value.query.get("confirmation_token") ?? "";
  const [email, setEmail] = useState("");
  const [refusal, setRefusal] = useState("");
  const confirm = () =>
    answerOf(client.POST("/-/account/confirmations", { body: { confirmation_token } })).then(
      (answer) => setEmail(answer.email),
      (error: unknown) => {
        const known = explain(error);
        setRefusal(known === undefined ? "" : sentenceOf(known));
      },
    );
  return (
    <>
      <h1>Confirm an email address</h1>
      {email === "" ? (
        <>
          <p>The link of the mail confirms that the address is yours.</p>
          <Refusal text={refusal} />
          <div class="actions">
            <button type="button" class="primary" onClick={() => void confirm()}>
              Confirm the address
            </button>
          </div>
        </>
      ) : (
        <p role="status">
          <strong class="long">{email}</strong> is confirmed. <a href={hrefOf("/profile")}>Go to your addresses</a>.
        </p>
      )}
    </>
  );
}
