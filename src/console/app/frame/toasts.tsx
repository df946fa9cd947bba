import { dismiss, toasts } from "../state/toasts.ts";

/** Results of actions, and errors with the id of the request in the log. */
export function Toasts() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.value.map(({ id, kind, text, requestId }) => (
        <div key={id} class={`toast ${kind}`}>
          <p>
            {text}
            {requestId !== undefined && <small>Request {requestId}</small>}
          </p>
          <button type="button" class="quiet" onClick={() => dismiss(id)}>
            Close
          </button>
        </div>
      ))}
    </div>
  );
}
