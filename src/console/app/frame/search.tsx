import { useEffect, useRef, useState } from "preact/hooks";
import { answerOf, client } from "../api/client.ts";
import type { Page } from "../pages/index.ts";
import { Dialog } from "../parts/dialog.tsx";
import { Refusal } from "../parts/refusal.tsx";
import { go, hrefOf } from "../state/router.ts";
import { explain } from "../state/toasts.ts";

interface Found {
  readonly kind: string;
  readonly name: string;
  /** Distinguishes it from others of the same name. */
  readonly more: string;
  readonly path: string;
}

const typingPauseMs = 200;
/** The most results of one kind. The kind's own page shows the others. */
const foundMax = 5;

interface SearchProps {
  /** The pages for this user. */
  readonly pages: readonly Page[];
  readonly onClose: () => void;
}

/** Searches pages, people, groups and projects while the user types. */
export function Search({ pages, onClose }: SearchProps) {
  const [text, setText] = useState("");
  const { found, error, isAsking } = useFound(text.trim());
  const own = pagesWith(pages, text.trim());
  const all = [...own, ...found];
  const list = useRef<HTMLUListElement>(null);
  const leave = (path: string) => {
    onClose();
    go(path);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const links = [...(list.current?.querySelectorAll("a") ?? [])];
    const at = links.indexOf(document.activeElement as HTMLAnchorElement) + step;
    if (at >= 0) links[at]?.focus();
    else list.current?.closest("dialog")?.querySelector("input")?.focus();
  };
  return (
    <Dialog title="Search" onClose={onClose}>
      <form
        class="go-to"
        onKeyDown={onKeyDown}
        onSubmit={(event) => {
          event.preventDefault();
          if (all[0] !== undefined) leave(all[0].path);
        }}
      >
        <label>
          People, groups, projects and pages{" "}
          <input
            type="text"
            autofocus
            value={text}
            autocomplete="off"
            onInput={({ currentTarget }) => setText(currentTarget.value)}
          />
        </label>
        <ul ref={list}>
          {all.map(({ kind, name, more, path }) => (
            <li key={path}>
              <a
                href={hrefOf(path)}
                onClick={(event) => {
                  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
                  event.preventDefault();
                  leave(path);
                }}
              >
                <span class="tag">{kind}</span> <bdi>{name}</bdi> <bdi class="weak long">{more}</bdi>
              </a>
            </li>
          ))}
        </ul>
        <Refusal text={error} />
        <p role="status" class="weak">
          {text.trim() !== "" && all.length === 0 && (isAsking ? "Searching…" : "Nothing fits.")}
        </p>
      </form>
    </Dialog>
  );
}

function pagesWith(pages: readonly Page[], text: string): Found[] {
  if (text === "") return [];
  return pages
    .filter(({ title }) => title.toLowerCase().includes(text.toLowerCase()))
    .map(({ title, path }) => ({ kind: "page", name: title, more: "", path }))
    .slice(0, foundMax);
}

/** Returns the API's results for a text, once the user stops typing. */
function useFound(text: string) {
  const [state, setState] = useState({ text: "", found: [] as readonly Found[], error: "" });
  useEffect(() => {
    if (text === "") return setState({ text, found: [], error: "" });
    let isWanted = true;
    const set = (found: readonly Found[], error: string) => isWanted && setState({ text, found, error });
    const timer = setTimeout(
      () =>
        void find(text).then(
          (found) => set(found, ""),
          (thrown: unknown) => set([], explain(thrown)?.text ?? ""),
        ),
      typingPauseMs,
    );
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [text]);
  return { ...state, isAsking: state.text !== text };
}

async function find(search: string): Promise<Found[]> {
  const query = { search, per_page: foundMax };
  const [people, groups, projects] = await Promise.all([
    answerOf(client.GET("/api/v4/users", { params: { query } })),
    answerOf(client.GET("/api/v4/groups", { params: { query: { ...query, all_available: true } } })),
    answerOf(
      client.GET("/api/v4/projects", { params: { query: { ...query, search_namespaces: true, simple: true } } }),
    ),
  ]);
  return [
    ...people.map(({ id, name, username }) => ({ kind: "person", name, more: `@${username}`, path: `/people/${id}` })),
    ...groups.map(({ id, name, full_path }) => ({ kind: "group", name, more: full_path, path: `/groups/${id}` })),
    ...projects.map((each) => ({
      ...{ kind: "project", name: each.name },
      ...{ more: each.path_with_namespace, path: `/projects/${each.id}` },
    })),
  ];
}
