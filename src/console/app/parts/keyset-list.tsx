import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { addressOf, type ItemOf, type ListPath, type QueryOf, type QueryValue } from "../api/paths.ts";
import { ApiButton } from "./buttons/api-button.tsx";
import { useAnchor } from "./hooks/use-anchor.ts";
import { useParts } from "./hooks/use-parts.ts";
import { Refusal } from "./refusal.tsx";
import { type Column, Rows, TableFrame } from "./table.tsx";

interface KeysetListProps<P extends ListPath> {
  /** The accessible name of the table. */
  readonly label: string;
  readonly path: P;
  readonly values?: Readonly<Record<string, string | number>>;
  /** A change restarts the list. */
  readonly query?: QueryOf<P>;
  readonly columns: readonly Column<ItemOf<P>>[];
  readonly keyOf: (item: ItemOf<P>) => string | number;
  /** Returns the address fragment of a row. The list loads until it has the row of the current fragment. */
  readonly anchorOf?: (item: ItemOf<P>) => string;
  /** The text of an empty list, with a command that fills it. */
  readonly empty: ComponentChildren;
  /** A change reloads the list. */
  readonly version?: number;
}

/**
 * An endless list, which follows the `Link` header: by keyset where the operation has that. It drops rows far from the
 * visible ones, so that the page stays small.
 */
export function KeysetList<P extends ListPath>(props: KeysetListProps<P>) {
  const { label, path, values, query, columns, keyOf, anchorOf, empty, version = 0 } = props;
  const first = addressOf(path, values, query as Readonly<Record<string, QueryValue>> | undefined);
  const { parts, isLoading, error, hasMore, more, drop, bringBack } = useParts<ItemOf<P>>(first, version);
  useAnchor(anchorOf !== undefined, parts.length, isLoading, hasMore, more);
  const isEmpty = parts.length > 0 && parts.every(({ items }) => items?.length === 0);
  return (
    <section class="list" aria-label={label}>
      <div class="list-tools">
        <ApiButton call={{ method: "GET", address: first }} />
      </div>
      <TableFrame heads={columns.map(({ head }) => head)} isLoading={isLoading}>
        {parts.map(({ address, items }, at) => (
          <Body
            key={address}
            isThere={items !== undefined}
            columnCount={columns.length}
            onNear={() => bringBack(at)}
            onFar={() => drop(at)}
          >
            <Rows columns={columns} rows={items ?? []} keyOf={keyOf} anchorOf={anchorOf} />
          </Body>
        ))}
      </TableFrame>
      {isEmpty && <div class="empty">{empty}</div>}
      <Refusal text={error} />
      <End hasMore={hasMore} isLoading={isLoading} more={more} />
    </section>
  );
}

/** The distance, above and below the visible part, within which rows stay loaded. */
const nearPx = 3_000;

interface BodyProps {
  readonly isThere: boolean;
  readonly columnCount: number;
  readonly onNear: () => void;
  readonly onFar: () => void;
  readonly children: ComponentChildren;
}

/** The rows of one part. When they are dropped, an empty row of the same height replaces them. */
function Body({ isThere, columnCount, onNear, onFar, children }: BodyProps) {
  const element = useRef<HTMLTableSectionElement>(null);
  const heightPx = useRef(0);
  const calls = useRef({ onNear, onFar });
  calls.current = { onNear, onFar };
  useEffect(() => {
    const seen = new IntersectionObserver(
      (changes) => {
        const last = changes.at(-1);
        if (last === undefined) return;
        heightPx.current = last.boundingClientRect.height;
        if (last.isIntersecting) calls.current.onNear();
        else calls.current.onFar();
      },
      { rootMargin: `${nearPx}px` },
    );
    if (element.current !== null) seen.observe(element.current);
    return () => seen.disconnect();
  }, []);
  const keepHeight = (cell: HTMLTableCellElement | null) => {
    if (cell !== null) cell.style.height = `${heightPx.current}px`;
  };
  return (
    <tbody ref={element} aria-busy={!isThere}>
      {isThere ? (
        children
      ) : (
        <tr>
          <td colSpan={columnCount} ref={keepHeight} />
        </tr>
      )}
    </tbody>
  );
}

/** Loads more when it becomes visible or is pressed. */
function End({ hasMore, isLoading, more }: { hasMore: boolean; isLoading: boolean; more: () => void }) {
  const mark = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!hasMore || isLoading || mark.current === null) return undefined;
    // A call may report several changes: first hidden, then visible.
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
