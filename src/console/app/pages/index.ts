import type { ComponentType } from "preact";
import { lazy } from "../parts/lazy.tsx";

/** Properties of a page: the parameters of its path. */
export interface PageProps {
  readonly params: Readonly<Record<string, string>>;
}

export interface Page {
  /** The path below the console; `:name` is one segment. */
  readonly path: string;
  readonly title: string;
  /** `g` and this letter go there; pages with one are in the navigation. */
  readonly key?: string;
  readonly component: ComponentType<PageProps>;
}

type Load = () => Promise<{ readonly default: ComponentType<PageProps> }>;

const page = (path: string, title: string, load: Load, key?: string): Page => ({
  ...{ path, title, component: lazy(load) },
  ...(key === undefined ? {} : { key }),
});

/** Every page, those of the navigation in its order. */
export const pages: readonly Page[] = [
  page("/", "Overview", () => import("./overview.tsx"), "o"),
  page("/people", "People", () => import("./people.tsx"), "p"),
  page("/people/:id", "Person", () => import("./person.tsx")),
  page("/sessions", "Sessions", () => import("./sessions.tsx"), "s"),
  page("/welcome", "Choose a password", () => import("./welcome.tsx")),
];
