import { useEffect, useRef } from "preact/hooks";

/** The most parts of a list that are searched for the row. */
const partsMax = 100;

/** Scrolls to the row in the fragment of the address, and loads parts of the list until the row is there. */
export function useAnchor(
  isWanted: boolean,
  partCount: number,
  isLoading: boolean,
  hasMore: boolean,
  more: () => void,
): void {
  const isShown = useRef(false);
  useEffect(() => {
    const name = location.hash.slice(1);
    if (!isWanted || isShown.current || isLoading || name === "") return;
    const row = document.getElementById(name);
    if (row !== null) {
      isShown.current = true;
      row.scrollIntoView({ block: "center" });
      row.focus({ preventScroll: true });
    } else if (hasMore && partCount < partsMax) more();
  }, [isWanted, partCount, isLoading, hasMore]);
}
