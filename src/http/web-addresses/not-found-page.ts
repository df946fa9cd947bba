/** Returns the page for an address that does not exist for the reader. `base` is the path of the server. */
export function notFoundPage(base: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>Not found - Outpost</title>
  </head>
  <body>
    <main>
      <h1>Not found</h1>
      <p>Nothing is at this address, or you may not see it.</p>
      <ul>
        <li><a href="${base}/-/console/">The console</a></li>
        <li><a href="${base}/-/api">The API reference</a></li>
      </ul>
    </main>
  </body>
</html>
`;
}
