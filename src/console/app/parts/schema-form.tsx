import { useEffect, useId, useRef, useState } from "preact/hooks";
import { sendCall } from "../api/client.ts";
import type { ShownCall } from "../api/curl.ts";
import type { paths } from "../api/generated.d.ts";
import { addressOf } from "../api/paths.ts";
import { type BodySchema, bodySchemaOf, type FieldSchema } from "../api/schemas.ts";
import { explain, sentenceOf } from "../state/toasts.ts";
import { ApiButton } from "./buttons/api-button.tsx";
import { Refusal } from "./refusal.tsx";

const methodNames = { post: "POST", put: "PUT", patch: "PATCH" } as const;

export type FormValues = Readonly<Record<string, unknown>>;

type PathValues = Readonly<Record<string, string | number>>;

/** The parameters of the path, which a path with parameters requires. */
export type WithValues<P> = P extends `${string}{${string}`
  ? { readonly values: PathValues }
  : { readonly values?: PathValues };

export interface FormProps<P extends keyof paths> {
  readonly method: "post" | "put" | "patch";
  /** The operation whose body the form builds. Its schema has types, choices and help. */
  readonly path: P;
  /** The fields in this order, with their labels. */
  readonly fields: Readonly<Record<string, string>>;
  readonly required?: readonly string[];
  /** The fields with several lines. */
  readonly long?: readonly string[];
  /** The choices of fields without an enumeration in the schema, with their texts. */
  readonly choices?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Texts that replace the descriptions in the schema. */
  readonly help?: Readonly<Record<string, string>>;
  readonly initial?: FormValues;
  readonly action: string;
  /** Converts the values of the form into the body, if they differ. */
  readonly bodyOf?: (values: FormValues) => FormValues;
  /** Called with the answer. The form shows an error that it throws. */
  readonly onAnswer: (answer: unknown) => void | Promise<void>;
}

type SchemaFormProps<P extends keyof paths> = FormProps<P> & WithValues<P>;

/**
 * A form for an operation's body, built from its schema. It sends no fields that were and stay empty, but sends emptied ones
 * as empty.
 */
export function SchemaForm<P extends keyof paths>({
  method,
  path,
  values: pathValues = {},
  fields,
  required = [],
  long = [],
  choices = {},
  help = {},
  initial = {},
  action,
  bodyOf = (values) => values,
  onAnswer,
}: SchemaFormProps<P>) {
  const [schema, setSchema] = useState<BodySchema>();
  const [error, setError] = useState("");
  const [isSending, setSending] = useState(false);
  useEffect(() => {
    bodySchemaOf(method, path).then(setSchema, (thrown: unknown) => setError(explain(thrown)?.text ?? ""));
  }, [method, path]);
  const form = useRef<HTMLFormElement>(null);
  const call = (): ShownCall => ({
    method: methodNames[method],
    address: addressOf(path, pathValues),
    body:
      form.current === null || schema === undefined
        ? {}
        : bodyOf(valuesOf(form.current, schema, { names: Object.keys(fields), long, initial })),
  });
  const shownCall = (): ShownCall => {
    const { body = {}, ...sent } = call();
    const isSecret = (name: string) => name.endsWith("password") || name.endsWith("_token");
    const shown = Object.entries(body).map(([name, value]) => [name, isSecret(name) ? "…" : value] as const);
    return { ...sent, body: Object.fromEntries(shown) };
  };
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (schema === undefined) return;
    setSending(true);
    setError("");
    try {
      await onAnswer(await sendCall(call()));
    } catch (thrown) {
      const known = explain(thrown);
      if (known !== undefined) setError(sentenceOf(known));
    } finally {
      setSending(false);
    }
  };
  return (
    <form ref={form} onSubmit={(event) => void submit(event)} aria-busy={schema === undefined}>
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
        <ApiButton call={shownCall} path={path} />
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
  const text = isEmpty(initial) ? "" : Array.isArray(initial) ? initial.join(", ") : String(initial);
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
            <select {...common}>
              {!isRequired && <option value="" />}
              {Object.entries(options).map(([value, shown]) => (
                <option key={value} value={value} selected={value === text}>
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

/** Returns the alternative that is not null. */
function plain(schema: FieldSchema = {}): FieldSchema {
  const only = schema.anyOf?.find(({ type }) => type !== "null");
  if (only !== undefined) return { ...plain(only), ...(schema.description && { description: schema.description }) };
  if (!Array.isArray(schema.type)) return schema;
  // An id that may also be a text is sent as text.
  const types = schema.type.filter((each) => each !== "null");
  return { ...schema, type: types.includes("string") ? "string" : (types[0] ?? "string") };
}

interface InputProps {
  readonly id: string;
  readonly name: string;
  readonly required: boolean;
  readonly "aria-describedby": string | undefined;
  readonly schema: FieldSchema;
  readonly text: string;
}

/** An input that the browser does not autofill, since another user's data is edited. */
function Input({ schema: { type, format }, text, ...given }: InputProps) {
  const common = { ...given, defaultValue: text, autocomplete: "off" } as const;
  if (given.name === "password") return <input type="password" {...common} autocomplete="new-password" />;
  if (given.name === "current_password") {
    return <input type="password" {...common} autocomplete="current-password" />;
  }
  if (given.name === "email") return <input type="email" {...common} />;
  if (type === "integer" || type === "number") return <input type="number" {...common} />;
  return format === "date" ? <input type="date" {...common} /> : <input type="text" {...common} />;
}

interface AskedFields {
  readonly names: readonly string[];
  readonly long: readonly string[];
  readonly initial: FormValues;
}

function valuesOf(form: HTMLFormElement, schema: BodySchema, { names, long, initial }: AskedFields): FormValues {
  const data = new FormData(form);
  const values: Record<string, unknown> = {};
  for (const name of names) {
    const given = schema.properties[name];
    const { type, items } = plain(given);
    const text = String(data.get(name) ?? "");
    if (type === "boolean") values[name] = data.has(name);
    else if (plain(items).enum !== undefined) values[name] = data.getAll(name);
    else if (text !== "")
      values[name] = type === "array" ? partsOf(text, long.includes(name), items) : parsed(text, type);
    else if (!isEmpty(initial[name])) values[name] = type === "array" ? [] : isNullable(given) ? null : "";
  }
  return values;
}

function parsed(text: string, type: FieldSchema["type"]): unknown {
  return type === "integer" || type === "number" ? Number(text) : text;
}

/** Splits the lines of a long field, or the items between commas. */
function partsOf(text: string, isLong: boolean, items: FieldSchema | undefined): readonly unknown[] {
  const parts = text.split(isLong ? "\n" : ",").map((part) => part.trim());
  return parts.filter(Boolean).map((part) => parsed(part, plain(items).type));
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0);
}

function isNullable({ type, anyOf = [] }: FieldSchema = {}): boolean {
  return (Array.isArray(type) && type.includes("null")) || anyOf.some((each) => each.type === "null");
}
