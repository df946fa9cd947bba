import { answerOf, client } from "../../api/client.ts";
import { Facts } from "../facts.tsx";
import { useAnswer } from "../hooks/use-answer.ts";
import { Refusal } from "../refusal.tsx";
import type { PlaceProps } from "./member-list.tsx";

/** Every source of a user's role in a group or project, for administrators. */
export function Origin({ kind, id, userId }: PlaceProps & { readonly userId: number }) {
  const query = { user_id: userId, method: "GET", path: `/${kind}/${id}` } as const;
  const { data, refusal } = useAnswer(`${kind} ${id} ${userId}`, () =>
    answerOf(client.GET("/-/explanation", { params: { query } })),
  );
  if (data === undefined) return refusal === "" ? <p role="status">Loading…</p> : <Refusal text={refusal} />;
  return <Facts of={data.ways.map(({ name, from }) => [name, from] as const)} />;
}
