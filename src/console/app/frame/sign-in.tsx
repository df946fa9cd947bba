import { useEffect, useId, useState } from "preact/hooks";
import { ApiError } from "../api/client.ts";
import { hrefOf } from "../state/router.ts";
import { type Credentials, signIn } from "../state/session.ts";
import { signInNotice } from "../state/session-signal.ts";

/** The sign-in page. The address stays, so that its page shows afterwards. */
export function SignIn() {
  const [isByToken, setByToken] = useState(false);
  const [isExpired, setExpired] = useState(false);
  const [error, setError] = useState("");
  const [isSending, setSending] = useState(false);
  useEffect(() => {
    document.title = "Sign in - Outpost";
  }, []);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    setSending(true);
    setError("");
    try {
      await signIn(Object.fromEntries(new FormData(event.currentTarget as HTMLFormElement)) as Credentials);
    } catch (thrown) {
      if (isAboutExpiry(thrown)) setExpired(true);
      else setError(sentenceOf(thrown));
    } finally {
      setSending(false);
    }
  };
  return (
    <main class="sign-in">
      <h1>Outpost</h1>
      {signInNotice.value !== "" && <p role="status">{signInNotice.value}</p>}
      <form onSubmit={(event) => void submit(event)}>
        {isByToken ? (
          <Input name="token" label="Access token" type="password" completion="off" />
        ) : (
          <>
            <Input name="login" label="Username or email address" type="text" completion="username" />
            <Input name="password" label="Password" type="password" completion="current-password" />
            {isExpired && (
              <>
                <p role="status">An administrator chose this password. Choose your own one, which replaces it.</p>
                <Input name="new_password" label="New password" type="password" completion="new-password" />
              </>
            )}
          </>
        )}
        {error !== "" && (
          <p class="refusal" role="alert">
            {error}
          </p>
        )}
        <div class="actions">
          <button type="submit" class="primary" disabled={isSending}>
            Sign in
          </button>
          <button type="button" class="quiet" onClick={() => setByToken(!isByToken)}>
            {isByToken ? "Use a password" : "Use an access token"}
          </button>
        </div>
        <p>
          <a href={hrefOf("/forgotten-password")}>Forgotten password?</a>
        </p>
      </form>
    </main>
  );
}

interface InputProps {
  readonly name: string;
  readonly label: string;
  readonly type: "text" | "password";
  readonly completion: "off" | "username" | "current-password" | "new-password";
}

function Input({ name, label, type, completion }: InputProps) {
  const id = useId();
  const common = {
    id,
    name,
    required: true,
    autocomplete: completion,
    autocapitalize: "off",
    spellcheck: false,
  } as const;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {type === "text" ? <input type="text" {...common} /> : <input type="password" {...common} />}
    </div>
  );
}

/** True when the password is correct but must be replaced. */
function isAboutExpiry(error: unknown): boolean {
  return error instanceof ApiError && error.status === 403 && error.message.includes("password has expired");
}

function sentenceOf(error: unknown): string {
  if (!(error instanceof ApiError)) return error instanceof TypeError ? "" : String(error);
  if (error.status === 401) return "These do not fit. Check them and try again.";
  return error.status === 429 ? "Too many attempts. Wait a minute, then try again." : error.message;
}
