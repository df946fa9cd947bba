import { useEffect, useState } from "preact/hooks";
import { basePath, consolePath } from "../../state/base.ts";
import { goInstead, hrefOf, place } from "../../state/router.ts";

/** Redirects from an address of the API or of a mail to its page, after the sign-in. */
export default function GoTo() {
  const to = place.value.query.get("to") ?? "";
  const [isMissing, setMissing] = useState(false);
  useEffect(() => {
    let isWanted = true;
    const failed = () => isWanted && setMissing(true);
    void targetOf(to).then((target) => {
      if (!isWanted) return;
      if (target === undefined) failed();
      else if (target.pathname.startsWith(`${consolePath}/`)) {
        goInstead(`${target.pathname.slice(consolePath.length)}${target.search}`);
      } else location.replace(target.href);
    }, failed);
    return () => {
      isWanted = false;
    };
  }, [to]);
  if (!isMissing) {
    return (
      <>
        <h1>Looking for the page</h1>
        <p role="status">Loading…</p>
      </>
    );
  }
  return (
    <>
      <h1>Not found</h1>
      <p>
        Nothing is at <code class="long">{to}</code>, or you may not see it.{" "}
        <a href={hrefOf("/")}>Go to the overview</a>.
      </p>
    </>
  );
}

/** Returns the server's redirect for a path; undefined when there is nothing for this user. */
async function targetOf(to: string): Promise<URL | undefined> {
  // A text without the slash would change the host.
  if (!to.startsWith("/")) return undefined;
  const asked = new URL(`${location.origin}${basePath}${to}`);
  const response = await fetch(asked, { method: "HEAD", headers: { Accept: "text/html" } });
  const target = new URL(response.url);
  return response.ok && !target.pathname.startsWith(`${consolePath}/go`) ? target : undefined;
}
