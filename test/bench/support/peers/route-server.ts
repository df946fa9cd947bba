// The least that a route can be which creates a trigger token: the journal, behind Elysia with a schema of the body, with a look-up
// of the token, the headers of an answer and a line in a log. Argument: a folder.
import { createWriteStream } from "node:fs";
import { join } from "node:path";
import { Elysia, t } from "elysia";
import { nanoid } from "nanoid";
import { rootToken } from "../outpost.ts";
import { openJournal } from "./journal.ts";

const [folder] = process.argv.slice(2) as [string];
const save = openJournal(folder);
const log = createWriteStream(join(folder, "log"));
const root = { id: 1, username: "root", name: "Administrator", state: "active", locked: false };
const users = new Map([[Bun.SHA256.hash(rootToken, "hex"), root]]);
const documents = new Map<number, object>();
const idOfToken = new Map<string, number>();
let lines: string[] = [];

function writeLines(): void {
  if (lines.length > 0) log.write(lines.join(""));
  lines = [];
}

const app = new Elysia()
  .post(
    "/api/v4/projects/:id/triggers",
    async ({ body: { description }, headers: sent, request }) => {
      const startedAt = performance.now();
      const user = users.get(Bun.SHA256.hash(sent["private-token"] ?? "", "hex"));
      if (user === undefined) return new Response("401", { status: 401 });
      const id = documents.size + 1;
      const token = `glptt-${nanoid(20)}`;
      const token_hash = Bun.SHA256.hash(token, "hex");
      const now = new Date().toISOString();
      const times = { created_at: now, updated_at: now, last_used: null, expires_at: null };
      const document = { id, project_id: 1, token_hash, description, ...times, owner_id: user.id };
      documents.set(id, document);
      idOfToken.set(token_hash, id);
      await save(document);
      const request_id = Bun.randomUUIDv7();
      const duration_ms = performance.now() - startedAt;
      const { method } = request;
      const of = { user_id: user.id, username: user.username };
      const line = { level: "info", time: now, request_id, method, status: 201, duration_ms, ...of, msg: "request" };
      lines.push(`${JSON.stringify(line)}\n`);
      const { origin } = new URL(request.url);
      const owner = { ...user, avatar_url: `${origin}/-/avatars/1.svg`, web_url: `${origin}/root` };
      return new Response(JSON.stringify({ id, token, description, ...times, owner }), {
        status: 201,
        headers: {
          "Content-Type": "application/json",
          "X-Content-Type-Options": "nosniff",
          "X-Frame-Options": "SAMEORIGIN",
          Vary: "Origin",
          "Cache-Control": "no-cache",
          "X-Request-Id": request_id,
          "X-Runtime": (duration_ms / 1000).toFixed(6),
        },
      });
    },
    { body: t.Object({ description: t.String({ maxLength: 255 }) }) },
  )
  .listen({ hostname: "127.0.0.1", port: 0 });
setInterval(writeLines, 50);
console.log(`listening on http://127.0.0.1:${app.server?.port}`);
