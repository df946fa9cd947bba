import { useEffect, useRef, useState } from "preact/hooks";
import { send } from "../../api/client.ts";
import { explain, sentenceOf } from "../../state/toasts.ts";

/** The rows of one answer in a list. */
export interface Part<T> {
  readonly address: string;
  /** undefined after the part was dropped, since the user looks elsewhere in the list. */
  readonly items: readonly T[] | undefined;
  /** The address of the next part; undefined at the end. */
  readonly next: string | undefined;
}

/** The number of parts from which distant ones are dropped. */
const keptPartsMax = 6;

/** Returns the parts of an endless list. A change of `version` reloads the loaded parts. */
export function useParts<T>(first: string, version: number) {
  const [parts, setParts] = useState<readonly Part<T>[]>([]);
  const [isLoading, setLoading] = useState(true);
  const [error, setError] = useState("");
  const current = useRef(parts);
  current.current = parts;
  // The number of the latest request. Answers to earlier ones are dropped.
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
  /** The positions of parts far from the visible ones. */
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
    drop: (at: number) => {
      far.current.add(at);
      setParts(withoutFar);
    },
  };
}

/** Reloads the loaded parts, up to the first that begins elsewhere now. Dropped parts stay dropped. */
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
  // The server may use another origin than this page.
  const next = url === undefined ? undefined : `${url.pathname}${url.search}`;
  return { address, items: (await response.json()) as readonly T[], next };
}
