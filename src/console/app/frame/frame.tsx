import { useEffect, useRef, useState } from "preact/hooks";
import { type Page, pages } from "../pages/index.ts";
import { Dialog } from "../parts/dialog.tsx";
import { basePath } from "../state/base.ts";
import { go, hrefOf, matchPath, place } from "../state/router.ts";
import { signOut, type User } from "../state/session.ts";
import { attempt } from "../state/toasts.ts";
import { Search } from "./search.tsx";

/** The navigation beside the current page. */
export function Frame({ user }: { readonly user: User }) {
  const { path } = place.value;
  const [open, setOpen] = useState<"keys" | "search">();
  const [isMenuOpen, setMenuOpen] = useState(false);
  useEffect(() => setMenuOpen(false), [path]);
  useKeys({ "?": () => setOpen("keys"), "/": () => setOpen("search") });
  const found = pages.map((page) => ({ page, params: matchPath(page.path, path) })).find(({ params }) => params);
  const title = found?.page.title ?? "Not found";
  const main = useRef<HTMLElement>(null);
  const isFirst = useRef(true);
  useEffect(() => {
    document.title = `${title} - Outpost`;
    // Makes screen readers announce the new page.
    if (!isFirst.current) main.current?.focus();
    isFirst.current = false;
  }, [title, path]);
  const Shown = found?.page.component;
  return (
    <div class="frame">
      <a class="skip" href="#main">
        Skip to the page
      </a>
      <header class="side">
        <p class="brand">Outpost</p>
        <button type="button" onClick={() => setOpen("search")}>
          Search <kbd>/</kbd>
        </button>
        <button
          type="button"
          class="menu"
          aria-expanded={isMenuOpen}
          aria-controls="pages"
          onClick={() => setMenuOpen(!isMenuOpen)}
        >
          Menu
        </button>
        <nav aria-label="Pages" id="pages" class={isMenuOpen ? "is-open" : ""}>
          <ul>
            {pages.filter(isInNavigation).map((page) => (
              <NavigationLink key={page.path} page={page} path={path} />
            ))}
            <li>
              <a href={`${basePath}/-/api`}>API reference</a>
            </li>
          </ul>
        </nav>
        <div class="me">
          <p>
            <a href={hrefOf("/profile")}>
              <bdi>{user.name}</bdi>
            </a>{" "}
            <span class="weak">@{user.username}</span>
          </p>
          <button type="button" onClick={() => void attempt(signOut)}>
            Sign out
          </button>
        </div>
      </header>
      <main id="main" tabIndex={-1} ref={main}>
        {Shown === undefined ? <Unknown /> : <Shown key={path} params={found?.params ?? {}} />}
      </main>
      {open === "keys" && <Keys onClose={() => setOpen(undefined)} />}
      {open === "search" && <Search pages={pages.filter(isInNavigation)} onClose={() => setOpen(undefined)} />}
    </div>
  );
}

function NavigationLink({ page, path }: { readonly page: Page; readonly path: string }) {
  const isHere = page.path === "/" ? path === "/" : path === page.path || path.startsWith(`${page.path}/`);
  return (
    <li>
      <a href={hrefOf(page.path)} aria-current={isHere ? "page" : undefined}>
        {page.title}
      </a>
    </li>
  );
}

function isInNavigation({ key, isShown }: Page): boolean {
  return key !== undefined && (isShown === undefined || isShown());
}

function Unknown() {
  return (
    <>
      <h1>Not found</h1>
      <p>
        The console has no page at this address. <a href={hrefOf("/")}>Go to the overview</a>.
      </p>
    </>
  );
}

function Keys({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title="Keys" onClose={onClose}>
      <dl class="keys">
        {pages.filter(isInNavigation).map(({ key, title }) => (
          <Key key={key} press={`g ${key}`} does={title} />
        ))}
        <Key press="/" does="Search" />
        <Key press="?" does="These keys" />
        <Key press="Esc" does="Close" />
      </dl>
    </Dialog>
  );
}

function Key({ press, does }: { readonly press: string; readonly does: string }) {
  return (
    <div>
      <dt>
        <kbd>{press}</kbd>
      </dt>
      <dd>{does}</dd>
    </div>
  );
}

const sequenceMs = 1_500;

/** Opens a page for `g` and its letter, and calls the action of any other key. */
function useKeys(given: Readonly<Record<string, () => void>>): void {
  const pressedAt = useRef(Number.NEGATIVE_INFINITY);
  const actions = useRef(given);
  actions.current = given;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isTyping = (event.target as Element).matches("input, textarea, select");
      if (isTyping || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
      const isSecond = event.timeStamp - pressedAt.current < sequenceMs;
      pressedAt.current = event.key === "g" ? event.timeStamp : Number.NEGATIVE_INFINITY;
      const target = isSecond ? pages.find(({ key }) => key === event.key) : undefined;
      if (target !== undefined) go(target.path);
      else if (Object.hasOwn(actions.current, event.key)) {
        event.preventDefault();
        actions.current[event.key]?.();
      }
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
}
