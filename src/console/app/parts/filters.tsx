import { useEffect, useState } from "preact/hooks";
import { place, setQuery } from "../state/router.ts";

const typingPauseMs = 200;

/** A search field. It writes its text to `search` of the address, shortly after the user stops typing. */
export function SearchField() {
  const [text, setText] = useState(place.value.query.get("search") ?? "");
  useEffect(() => {
    const timer = setTimeout(() => setQuery({ search: text }), typingPauseMs);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <label>
      Search <input type="search" value={text} onInput={({ currentTarget }) => setText(currentTarget.value)} />
    </label>
  );
}

interface ChoiceProps {
  /** The query parameter that has the choice. */
  readonly name: string;
  readonly label: string;
  /** The values with their texts. The first one is the default. */
  readonly choices: Readonly<Record<string, string>>;
}

/** A select field that writes its choice to the address. */
export function ChoiceField({ name, label, choices }: ChoiceProps) {
  return (
    <label>
      {label}{" "}
      <select
        value={choiceOf(name, choices)}
        onChange={({ currentTarget }) => setQuery({ [name]: currentTarget.value })}
      >
        {Object.entries(choices).map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Returns the choice in the address; the first one when the address has no valid choice. */
export function choiceOf<C extends string>(name: string, choices: Readonly<Record<C, unknown>>): C {
  const given = place.value.query.get(name);
  const names = Object.keys(choices) as C[];
  return names.find((each) => each === given) ?? (names[0] as C);
}
