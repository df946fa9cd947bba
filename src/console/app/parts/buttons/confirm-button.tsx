import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { attempt, showDone } from "../../state/toasts.ts";
import { Confirm } from "../dialog.tsx";

interface ConfirmButtonProps {
  /** The verb, on the button and in the question. */
  readonly label: string;
  readonly title: string;
  /** The text that the user must type to confirm an irreversible action. */
  readonly typed?: string;
  /** The message after success. */
  readonly done: string;
  readonly act: () => Promise<unknown>;
  readonly onDone: () => void;
  /** The description of the consequences. */
  readonly children: ComponentChildren;
}

/** A button for a destructive action. It asks the user to confirm. */
export function ConfirmButton({ label, title, typed, done, act, onDone, children }: ConfirmButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const [text, setText] = useState("");
  const confirm = () =>
    attempt(async () => {
      await act();
      setOpen(false);
      showDone(done);
      onDone();
    });
  return (
    <>
      <button type="button" class="danger" onClick={() => setOpen(true)}>
        {label}
      </button>
      {isOpen && (
        <Confirm
          title={title}
          action={label}
          isDisabled={typed !== undefined && text !== typed}
          onClose={() => setOpen(false)}
          onConfirm={() => void confirm()}
        >
          <p>{children}</p>
          {typed !== undefined && (
            <div class="field">
              <label>
                Type <strong>{typed}</strong>{" "}
                <input value={text} onInput={({ currentTarget }) => setText(currentTarget.value)} />
              </label>
            </div>
          )}
        </Confirm>
      )}
    </>
  );
}
