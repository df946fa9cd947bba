import { notFound } from "../../../domain/failure.ts";
import { findUser } from "../../core/users/index.ts";
import { ok, operation } from "../../kernel/operation.ts";
import { CallExplanation, ExplainCall } from "./schema.ts";

export const callExplanationOperations = [
  operation({
    method: "GET",
    path: "/-/explanation",
    root: true,
    summary: "Explain whether a user may make a call",
    who: "administrator",
    params: ExplainCall,
    answer: ok(CallExplanation),
    failures: ["not_found"],
    async handle({ context, params: { user_id: userId, ...call } }) {
      await context.loadOperations();
      if (userId !== undefined && findUser(context.store, userId) === undefined) throw notFound("User");
      const explanation = context.explainCall(context, { userId, ...call });
      if (explanation === undefined) throw notFound("Operation");
      return explanation;
    },
  }),
];
