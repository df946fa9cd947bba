import { useEffect, useRef, useState } from "preact/hooks";
import { explain, sentenceOf } from "../../state/toasts.ts";

interface Answered<T> {
  readonly data: T | undefined;
  /** The error message of the server. */
  readonly refusal: string;
  /** Repeats the call. */
  readonly reload: () => void;
}

/** Returns the answer of a call. A change of `key` repeats the call. */
export function useAnswer<T>(key: string, ask: () => Promise<T>): Answered<T> {
  const [state, setState] = useState<{ readonly key: string; readonly data?: T; readonly refusal: string }>();
  const [version, setVersion] = useState(0);
  const current = useRef(ask);
  current.current = ask;
  const asked = `${version} ${key}`;
  useEffect(() => {
    let isWanted = true;
    const own = asked.slice(asked.indexOf(" ") + 1);
    current.current().then(
      (data) => isWanted && setState({ key: own, data, refusal: "" }),
      (error: unknown) => {
        const known = explain(error);
        if (isWanted) setState({ key: own, refusal: known === undefined ? "" : sentenceOf(known) });
      },
    );
    return () => {
      isWanted = false;
    };
  }, [asked]);
  const isOwn = state?.key === key;
  return {
    data: isOwn ? state.data : undefined,
    refusal: isOwn ? state.refusal : "",
    reload: () => setVersion((before) => before + 1),
  };
}
