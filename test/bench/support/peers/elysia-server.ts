// The peer of reads: Elysia with a query schema and fixed data. One argument: the file with a list as JSON.
import { Elysia, t } from "elysia";

const [path] = process.argv.slice(2) as [string];
const users: unknown = await Bun.file(path).json();
const query = t.Object({
  page: t.Optional(t.Numeric({ minimum: 1 })),
  per_page: t.Optional(t.Numeric({ minimum: 1, maximum: 100 })),
  search: t.Optional(t.String()),
  username: t.Optional(t.String()),
  active: t.Optional(t.BooleanString()),
  order_by: t.Optional(t.String()),
});
const app = new Elysia().get("/api/v4/users", () => users, { query }).listen({ hostname: "127.0.0.1", port: 0 });
console.log(`listening on http://127.0.0.1:${app.server?.port}`);
