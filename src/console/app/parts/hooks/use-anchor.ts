import { useEffect, useRef } from "preact/hooks";

/** A list of more parts is not searched further. */
const partsMax = 100;

/** Shows the row that the fragment of the address names, and loads parts of the list until it is there. */
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
