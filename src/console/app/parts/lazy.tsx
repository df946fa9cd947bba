import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { showError } from "../state/toasts.ts";

/** Returns a component whose code is loaded at its first use. */
export function lazy<P extends object>(load: () => Promise<{ readonly default: ComponentType<P> }>): ComponentType<P> {
  let loaded: ComponentType<P> | undefined;
  return function Lazy(props: P) {
    const [Loaded, setLoaded] = useState<{ readonly component: ComponentType<P> } | undefined>(
      loaded && { component: loaded },
    );
    useEffect(() => {
      if (Loaded !== undefined) return;
      load().then((module) => {
        loaded = module.default;
        setLoaded({ component: module.default });
      }, showError);
    }, [Loaded]);
    if (Loaded === undefined) return <p role="status">Loading…</p>;
    return <Loaded.component {...props} />;
  };
}
