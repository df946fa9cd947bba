// The least that a route can be which lists users: Elysia with a query schema, a look-up of the token, entries that are JSON
// already, a tag, links, the headers of a page and a line in a log. Arguments: the file with a list as JSON, a file for the log.
import { createWriteStream } from "node:fs";
import { Elysia } from "elysia";
import { rootToken } from "../outpost.ts";
import { query } from "./users-query.ts";

const [path, logPath] = process.argv.slice(2) as [string, string];
const entries = ((await Bun.file(path).json()) as object[]).map((entry) => JSON.stringify(entry));
const total = 10_000;
const users = Array.from({ length: total }, (_, index) => entries[index % entries.length] as string);
const log = createWriteStream(logPath);
const root = { id: 1, username: "root" };
const callers = new Map([[Bun.SHA256.hash(rootToken, "hex"), root]]);
let lines: string[] = [];

function writeLines(): void {
  if (lines.length > 0) log.write(lines.join(""));
  lines = [];
}

const app = new Elysia()
  .get(
    "/api/v4/users",
    ({ query: { page = 1, per_page = 20 }, headers: sent, request }) => {
      const startedAt = performance.now();
      const caller = callers.get(Bun.SHA256.hash(sent["private-token"] ?? "", "hex"));
      if (caller === undefined) return new Response("401", { status: 401 });
      const { url } = request;
      const body = `[${users.slice((page - 1) * per_page, page * per_page).join(",")}]`;
      const queryStart = url.indexOf("?");
      const others = url.slice(queryStart).replace(/&page=\d+/, "");
      const linkTo = (to: number, rel: string) => `<${url.slice(0, queryStart)}${others}&page=${to}>; rel="${rel}"`;
      const pages = Math.ceil(total / per_page);
      const links = [linkTo(page - 1, "prev"), linkTo(page + 1, "next"), linkTo(1, "first"), linkTo(pages, "last")];
      const request_id = Bun.randomUUIDv7();
      const duration_ms = performance.now() - startedAt;
      const of = { user_id: caller.id, username: caller.username };
      const answered = { request_id, method: "GET", route: "/users", status: 200, duration_ms, ...of };
      lines.push(`${JSON.stringify({ level: "info", time: new Date().toISOString(), ...answered, msg: "request" })}\n`);
      return new Response(body, {
        headers: {
          "Content-Type": "application/json",
          "X-Content-Type-Options": "nosniff",
          "X-Frame-Options": "SAMEORIGIN",
          Vary: "Origin, Accept-Encoding",
          "Cache-Control": "max-age=0, private, must-revalidate",
          ETag: `W/"${Bun.hash(body).toString(16)}"`,
          Link: links.join(", "),
          "X-Page": String(page),
          "X-Per-Page": String(per_page),
          "X-Next-Page": String(page + 1),
          "X-Prev-Page": String(page - 1),
          "X-Total": String(total),
          "X-Total-Pages": String(pages),
          "X-Request-Id": request_id,
          "X-Runtime": (duration_ms / 1000).toFixed(6),
        },
      });
    },
    { query },
  )
  .listen({ hostname: "127.0.0.1", port: 0 });
setInterval(writeLines, 50);
console.log(`listening on http://127.0.0.1:${app.server?.port}`);
