import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** A modal dialog. The browser keeps the focus in it, Escape closes it, and the focus then returns. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const id = useId();
  // Opens it with its first frame, so that it gets the next key presses.
  useLayoutEffect(() => {
    const before = document.activeElement;
    element.current?.showModal();
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <dialog ref={element} aria-labelledby={id} onClose={onClose}>
      <header>
        <h2 id={id}>{title}</h2>
        <button type="button" class="quiet" onClick={() => element.current?.close()}>
          Close
        </button>
      </header>
      {children}
    </dialog>
  );
}

interface ConfirmProps extends DialogProps {
  /** The verb on the button. */
  readonly action: string;
  readonly onConfirm: () => void;
  /** True while the user may not confirm yet. */
  readonly isDisabled?: boolean;
}

/** Asks the user to confirm a destructive action. */
export function Confirm({ action, onConfirm, isDisabled = false, children, ...dialog }: ConfirmProps) {
  return (
    <Dialog {...dialog}>
      {children}
      <div class="actions">
        <button type="button" class="danger" onClick={onConfirm} disabled={isDisabled}>
          {action}
        </button>
      </div>
    </Dialog>
  );
}
