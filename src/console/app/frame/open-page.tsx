import { useEffect } from "preact/hooks";
import { type Page, pages } from "../pages/index.ts";
import { matchPath } from "../state/router.ts";

/** Returns the page at a path if it needs no sign-in. */
export function openPageAt(path: string): Page | undefined {
  return pages.find((page) => page.isOpen === true && matchPath(page.path, path) !== undefined);
}

/** A page for anonymous users, without the navigation. */
export function OpenPage({ page: { title, component: Shown } }: { readonly page: Page }) {
  useEffect(() => {
    document.title = `${title} - Outpost`;
  }, [title]);
  return (
    <main class="sign-in">
      <Shown params={{}} />
    </main>
  );
}
