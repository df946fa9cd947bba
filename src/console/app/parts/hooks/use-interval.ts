import { useEffect, useRef } from "preact/hooks";

/** Calls `work` at an interval while the page is visible and `isNeeded`. */
export function useInterval(everyMs: number, isNeeded: boolean, work: () => void): void {
  const current = useRef(work);
  current.current = work;
  useEffect(() => {
    if (!isNeeded) return undefined;
    const timer = setInterval(() => !document.hidden && current.current(), everyMs);
    return () => clearInterval(timer);
  }, [everyMs, isNeeded]);
}
