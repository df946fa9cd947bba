// The peer of reads: Elysia with a query schema and fixed data. One argument: the file with a list as JSON.
import { Elysia } from "elysia";
import { query } from "./users-query.ts";

const [path] = process.argv.slice(2) as [string];
const users: unknown = await Bun.file(path).json();
const app = new Elysia().get("/api/v4/users", () => users, { query }).listen({ hostname: "127.0.0.1", port: 0 });
console.log(`listening on http://127.0.0.1:${app.server?.port}`);
