import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { send } from "../api/client.ts";
import { addressOf, type ItemOf, type ListPath, type QueryOf, type QueryValue } from "../api/paths.ts";
import { explain } from "../state/toasts.ts";
import { ApiButton } from "./api-button.tsx";
import { Refusal } from "./refusal.tsx";
import { type Column, Table } from "./table.tsx";

interface KeysetListProps<P extends ListPath> {
  /** Names the table for those who do not see it. */
  readonly label: string;
  readonly path: P;
  readonly values?: Readonly<Record<string, string | number>>;
  /** A change starts the list again. */
  readonly query?: QueryOf<P>;
  readonly columns: readonly Column<ItemOf<P>>[];
  readonly keyOf: (item: ItemOf<P>) => string | number;
  /** A way to fill the list, with the command. */
  readonly empty: ComponentChildren;
  /** A change loads the list again. */
  readonly version?: number;
}

interface Loaded<T> {
  readonly items: readonly T[];
  /** Address of the next part; undefined at the end. */
  readonly next: string | undefined;
}

/** A list that goes on as one scrolls, by the `Link` header of its answers: by keyset where the operation has that. */
export function KeysetList<P extends ListPath>(props: KeysetListProps<P>) {
  const { label, path, values, query, columns, keyOf, empty, version = 0 } = props;
  const first = addressOf(path, values, query as Readonly<Record<string, QueryValue>> | undefined);
  const { items, next, state, error, more } = useParts<ItemOf<P>>(first, version);
  return (
    <section class="list" aria-label={label}>
      <div class="list-tools">
        <ApiButton call={{ method: "GET", address: first }} />
      </div>
      <Table columns={columns} rows={items} keyOf={keyOf} isLoading={state === "loading"} />
      {state === "ready" && items.length === 0 && <div class="empty">{empty}</div>}
      <Refusal text={error} />
      <End hasMore={next !== undefined} isLoading={state === "loading"} more={more} />
    </section>
  );
}

/** Asks for more when it comes into view, or is pressed. */
function End({ hasMore, isLoading, more }: { hasMore: boolean; isLoading: boolean; more: () => void }) {
  const mark = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!hasMore || isLoading || mark.current === null) return undefined;
    // One call may report several changes: first out of view, then into view.
    const load = (changes: readonly IntersectionObserverEntry[]) =>
      changes.some((each) => each.isIntersecting) && more();
    const seen = new IntersectionObserver(load, { rootMargin: "400px" });
    seen.observe(mark.current);
    return () => seen.disconnect();
  }, [hasMore, isLoading, more]);
  return (
    <div class="list-end" ref={mark}>
      {isLoading && <span role="status">Loading…</span>}
      {hasMore && !isLoading && (
        <button type="button" onClick={more}>
          Load more
        </button>
      )}
    </div>
  );
}

function useParts<T>(first: string, version: number) {
  const [loaded, setLoaded] = useState<Loaded<T>>({ items: [], next: undefined });
  const [state, setState] = useState<"loading" | "ready">("loading");
  const [error, setError] = useState("");
  // The answer to an outdated request is dropped.
  const asked = useRef(0);
  const load = async (address: string, before: readonly T[]) => {
    asked.current += 1;
    const own = asked.current;
    setState("loading");
    setError("");
    try {
      const { items, next } = await partAt<T>(address);
      if (own === asked.current) setLoaded({ items: [...before, ...items], next });
    } catch (thrown) {
      const known = explain(thrown);
      if (own === asked.current && known !== undefined) setError(sentenceOf(known));
    } finally {
      if (own === asked.current) setState("ready");
    }
  };
  const key = `${first} ${version}`;
  useEffect(() => {
    void load(key.slice(0, key.lastIndexOf(" ")), []);
  }, [key]);
  return { ...loaded, state, error, more: () => void (loaded.next && load(loaded.next, loaded.items)) };
}

/** An error in one sentence, with the id of its request. */
function sentenceOf({ text, requestId }: { readonly text: string; readonly requestId?: string | undefined }): string {
  return requestId === undefined ? text : `${text} (request ${requestId})`;
}

async function partAt<T>(address: string): Promise<Loaded<T>> {
  const response = await send(new URL(address, location.origin).href);
  const link = /<([^>]+)>;\s*rel="next"/.exec(response.headers.get("link") ?? "")?.[1];
  const url = link === undefined ? undefined : new URL(link, location.origin);
  // The server may know itself by another name than this page does.
  const next = url === undefined ? undefined : `${url.pathname}${url.search}`;
  return { items: (await response.json()) as readonly T[], next };
}
