import { useEffect, useRef, useState } from "preact/hooks";
import { send } from "../../api/client.ts";
import { explain, sentenceOf } from "../../state/toasts.ts";

/** Some rows of a list that one answer brought. */
export interface Part<T> {
  readonly address: string;
  /** undefined: let go while the reader looks elsewhere in the list. */
  readonly items: readonly T[] | undefined;
  /** Address of the part below it; undefined at the end. */
  readonly next: string | undefined;
}

/** The rows of shorter lists all stay. */
const keptPartsMax = 6;

/** The parts of a list that goes on as one scrolls. A change of `version` loads again the parts that are there. */
export function useParts<T>(first: string, version: number) {
  const [parts, setParts] = useState<readonly Part<T>[]>([]);
  const [isLoading, setLoading] = useState(true);
  const [error, setError] = useState("");
  const current = useRef(parts);
  current.current = parts;
  // The answer to an outdated request is dropped.
  const asked = useRef(0);
  const load = async (work: (isWanted: () => boolean) => Promise<void>) => {
    const own = asked.current;
    const isWanted = () => own === asked.current;
    setError("");
    try {
      await work(isWanted);
    } catch (thrown) {
      const known = explain(thrown);
      if (isWanted() && known !== undefined) setError(sentenceOf(known));
    } finally {
      if (isWanted()) setLoading(false);
    }
  };
  const begin = () => {
    asked.current += 1;
    const before = current.current[0]?.address === first ? current.current : [];
    if (before.length === 0) {
      far.current.clear();
      setParts([]);
      setLoading(true);
    }
    void load(async (isWanted) => {
      const found = await partsFrom(first, before);
      if (isWanted()) setParts(found);
    });
  };
  /** Positions of parts that the reader does not look at. */
  const far = useRef(new Set<number>());
  const withoutFar = (all: readonly Part<T>[]) =>
    all.length <= keptPartsMax
      ? all
      : all.map((part, at) => (far.current.has(at) && part.items !== undefined ? { ...part, items: undefined } : part));
  const append = (address: string) => {
    setLoading(true);
    void load(async (isWanted) => {
      const added = await partAt<T>(address);
      if (isWanted()) setParts((before) => withoutFar([...before, added]));
    });
  };
  const bringBack = (at: number) => {
    far.current.delete(at);
    const part = current.current[at];
    if (part === undefined || part.items !== undefined) return;
    void load(async (isWanted) => {
      const { items } = await partAt<T>(part.address);
      if (isWanted())
        setParts((before) => before.map((each) => (each.address === part.address ? { ...each, items } : each)));
    });
  };
  useEffect(begin, [first, version]);
  const next = parts.at(-1)?.next;
  return {
    ...{ parts, isLoading, error, bringBack, hasMore: next !== undefined },
    more: () => void (next !== undefined && append(next)),
    letGo: (at: number) => {
      far.current.add(at);
      setParts(withoutFar);
    },
  };
}

/** Loads again the parts that were there, up to one that begins elsewhere now. Those that were let go stay so. */
async function partsFrom<T>(first: string, before: readonly Part<T>[]): Promise<readonly Part<T>[]> {
  const found: Part<T>[] = [];
  let address: string | undefined = first;
  do {
    const known = before[found.length];
    const part: Part<T> = known?.address === address && known.items === undefined ? known : await partAt<T>(address);
    found.push(part);
    address = part.next;
  } while (address !== undefined && before[found.length]?.address === address);
  return found;
}

async function partAt<T>(address: string): Promise<Part<T>> {
  const response = await send(new URL(address, location.origin).href);
  const link = /<([^>]+)>;\s*rel="next"/.exec(response.headers.get("link") ?? "")?.[1];
  const url = link === undefined ? undefined : new URL(link, location.origin);
  // The server may know itself by another name than this page does.
  const next = url === undefined ? undefined : `${url.pathname}${url.search}`;
  return { address, items: (await response.json()) as readonly T[], next };
}
