import type { ComponentType } from "preact";
import { useState } from "preact/hooks";
import type { paths } from "../../api/generated.d.ts";
import type { AnswerOf } from "../../api/paths.ts";
import { showDone } from "../../state/toasts.ts";
import { Dialog } from "../dialog.tsx";
import { type FormProps, SchemaForm, type WithValues } from "../schema-form.tsx";

type Method = FormProps<keyof paths>["method"];

type FormButtonProps<P extends keyof paths, M extends Method> = Omit<FormProps<P>, "method" | "onAnswer"> &
  WithValues<P> & {
    readonly method: M;
    /** The label of the button and the title of the form. */
    readonly label: string;
    readonly title?: string;
    readonly isPrimary?: boolean;
    /** The message after success. */
    readonly done: string;
    readonly onDone: (answer: AnswerOf<P, M>) => void;
  };

/** The types of the button have checked that the values match the path. */
const AnyForm = SchemaForm as ComponentType<FormProps<keyof paths>>;

/** A button that opens a form for one call. */
export function FormButton<P extends keyof paths, M extends Method>(props: FormButtonProps<P, M>) {
  const { label, title = label, isPrimary = false, done, onDone, ...form } = props;
  const [isOpen, setOpen] = useState(false);
  const onAnswer = (answer: unknown) => {
    setOpen(false);
    showDone(done);
    onDone(answer as AnswerOf<P, M>);
  };
  return (
    <>
      <button type="button" class={isPrimary ? "primary" : ""} onClick={() => setOpen(true)}>
        {label}
      </button>
      {isOpen && (
        <Dialog title={title} onClose={() => setOpen(false)}>
          <AnyForm {...(form as unknown as FormProps<keyof paths>)} onAnswer={onAnswer} />
        </Dialog>
      )}
    </>
  );
}
