import { useEffect, useId, useState } from "preact/hooks";
import type { paths } from "../api/generated.d.ts";
import { type BodySchema, bodySchemaOf, type FieldSchema } from "../api/schemas.ts";
import { explain } from "../state/toasts.ts";
import { Refusal } from "./refusal.tsx";

export type FormValues = Readonly<Record<string, unknown>>;

interface SchemaFormProps {
  readonly method: "post" | "put" | "patch";
  /** The operation whose body the form makes; its schema says types, choices and help. */
  readonly path: keyof paths;
  /** Parameters of the form, in this order, with their labels. */
  readonly fields: Readonly<Record<string, string>>;
  readonly required?: readonly string[];
  /** Fields with room for several lines. */
  readonly long?: readonly string[];
  /** Field → the values that it offers, with their texts; for fields whose schema lists none. */
  readonly choices?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Field → the text that replaces the description in the schema. */
  readonly help?: Readonly<Record<string, string>>;
  readonly initial?: FormValues;
  readonly action: string;
  /** Throws an error of the server, which the form then shows. */
  readonly onSubmit: (values: FormValues) => Promise<void>;
}

/** A form made from the schema of an operation's body. Fields that are left empty are not sent. */
export function SchemaForm({
  method,
  path,
  fields,
  required = [],
  long = [],
  choices = {},
  help = {},
  initial = {},
  action,
  onSubmit,
}: SchemaFormProps) {
  const [schema, setSchema] = useState<BodySchema>();
  const [error, setError] = useState("");
  const [isSending, setSending] = useState(false);
  useEffect(() => {
    bodySchemaOf(method, path).then(setSchema, (thrown: unknown) => setError(explain(thrown)?.text ?? ""));
  }, [method, path]);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (schema === undefined) return;
    setSending(true);
    setError("");
    try {
      await onSubmit(valuesOf(event.currentTarget as HTMLFormElement, schema, Object.keys(fields)));
    } catch (thrown) {
      const known = explain(thrown);
      if (known !== undefined)
        setError(known.requestId === undefined ? known.text : `${known.text} (request ${known.requestId})`);
    } finally {
      setSending(false);
    }
  };
  return (
    <form onSubmit={(event) => void submit(event)} aria-busy={schema === undefined}>
      {schema !== undefined &&
        Object.entries(fields).map(([name, label]) => (
          <Field
            key={name}
            name={name}
            label={label}
            schema={withHelp(plain(schema.properties[name]), help[name])}
            isRequired={required.includes(name) || schema.required?.includes(name) === true}
            initial={initial[name]}
            isLong={long.includes(name)}
            offered={choices[name]}
          />
        ))}
      <Refusal text={error} />
      <div class="actions">
        <button type="submit" class="primary" disabled={isSending || schema === undefined}>
          {action}
        </button>
      </div>
    </form>
  );
}

interface FieldProps {
  readonly name: string;
  readonly label: string;
  readonly schema: FieldSchema;
  readonly isRequired: boolean;
  readonly initial: unknown;
  readonly isLong: boolean;
  readonly offered: Readonly<Record<string, string>> | undefined;
}

function Field({ name, label, schema, isRequired, initial, isLong, offered }: FieldProps) {
  const id = useId();
  const help = schema.description === undefined ? undefined : `${id}-help`;
  const common = { id, name, "aria-describedby": help, required: isRequired };
  const choices = plain(schema.items).enum;
  if (choices !== undefined) return <Choices label={label} name={name} choices={choices} initial={initial} />;
  const text = initial === undefined ? "" : String(initial);
  const options = offered ?? (schema.enum && Object.fromEntries(schema.enum.map((each) => [each ?? "", each ?? ""])));
  return (
    <div class="field">
      {schema.type === "boolean" ? (
        <label class="check">
          <input id={id} name={name} type="checkbox" defaultChecked={initial === true} aria-describedby={help} />{" "}
          {label}
        </label>
      ) : (
        <>
          <label for={id}>{label}</label>
          {isLong ? (
            <textarea {...common} rows={6} defaultValue={text} />
          ) : options === undefined ? (
            <Input {...common} schema={schema} text={text} />
          ) : (
            <select {...common} defaultValue={text}>
              {!isRequired && <option value="" />}
              {Object.entries(options).map(([value, shown]) => (
                <option key={value} value={value}>
                  {shown}
                </option>
              ))}
            </select>
          )}
        </>
      )}
      {help !== undefined && (
        <p id={help} class="help">
          {schema.description}
        </p>
      )}
    </div>
  );
}

interface ChoicesProps extends Pick<FieldProps, "label" | "name" | "initial"> {
  readonly choices: readonly (string | null)[];
}

function Choices({ label, name, choices, initial }: ChoicesProps) {
  const chosen = Array.isArray(initial) ? initial : [];
  return (
    <fieldset class="field choices">
      <legend>{label}</legend>
      {choices.map((choice) => (
        <label class="check" key={choice}>
          <input type="checkbox" name={name} value={choice ?? ""} defaultChecked={chosen.includes(choice)} /> {choice}
        </label>
      ))}
    </fieldset>
  );
}

function withHelp(schema: FieldSchema, description: string | undefined): FieldSchema {
  return description === undefined ? schema : { ...schema, description };
}

/** The alternative that is not null. */
function plain(schema: FieldSchema = {}): FieldSchema {
  const only = schema.anyOf?.find(({ type }) => type !== "null");
  if (only !== undefined) return { ...plain(only), ...(schema.description && { description: schema.description }) };
  if (!Array.isArray(schema.type)) return schema;
  const [type = "string"] = schema.type.filter((each) => each !== "null");
  return { ...schema, type };
}

interface InputProps {
  readonly id: string;
  readonly name: string;
  readonly required: boolean;
  readonly "aria-describedby": string | undefined;
  readonly schema: FieldSchema;
  readonly text: string;
}

/** Keeps the browser from filling another person's form with its reader's data. */
function Input({ schema: { type, format }, text, ...given }: InputProps) {
  const common = { ...given, defaultValue: text, autocomplete: "off" } as const;
  if (given.name === "password") return <input type="password" {...common} autocomplete="new-password" />;
  if (given.name === "email") return <input type="email" {...common} />;
  if (type === "integer" || type === "number") return <input type="number" {...common} />;
  return format === "date" ? <input type="date" {...common} /> : <input type="text" {...common} />;
}

function valuesOf(form: HTMLFormElement, schema: BodySchema, names: readonly string[]): FormValues {
  const data = new FormData(form);
  const values: Record<string, unknown> = {};
  for (const name of names) {
    const { type, items } = plain(schema.properties[name]);
    if (type === "boolean") values[name] = data.has(name);
    else if (plain(items).enum !== undefined) values[name] = data.getAll(name);
    else {
      const text = String(data.get(name) ?? "");
      if (text !== "") values[name] = type === "integer" || type === "number" ? Number(text) : text;
    }
  }
  return values;
}
