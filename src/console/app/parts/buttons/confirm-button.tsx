import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { attempt, showDone } from "../../state/toasts.ts";
import { Confirm } from "../dialog.tsx";

interface ConfirmButtonProps {
  /** The verb, on the button and in the question. */
  readonly label: string;
  readonly title: string;
  /** What the reader must type, for what nothing brings back. */
  readonly typed?: string;
  /** What is said when it is done. */
  readonly done: string;
  readonly act: () => Promise<unknown>;
  readonly onDone: () => void;
  /** What it means. */
  readonly children: ComponentChildren;
}

/** A button that does something that hurts, once its reader has confirmed it. */
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
