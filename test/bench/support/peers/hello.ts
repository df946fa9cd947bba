// The limit of starts: the least that can be served with the same framework.
import { Elysia } from "elysia";

const app = new Elysia().get("/-/health", () => ({ status: "ok" })).listen({ hostname: "127.0.0.1", port: 0 });
console.log(`listening on http://127.0.0.1:${app.server?.port}`);
