import { t } from "elysia";

/** The query of a list of users, for Elysia. */
export const query = t.Object({
  page: t.Optional(t.Numeric({ minimum: 1 })),
  per_page: t.Optional(t.Numeric({ minimum: 1, maximum: 100 })),
  search: t.Optional(t.String()),
  username: t.Optional(t.String()),
  active: t.Optional(t.BooleanString()),
  order_by: t.Optional(t.String()),
});
