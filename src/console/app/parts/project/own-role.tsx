import { answerOf, client } from "../../api/client.ts";
import { me } from "../../state/session.ts";
import { useAnswer } from "../hooks/use-answer.ts";
import { roleText } from "./roles.ts";

interface OwnRoleProps {
  readonly kind: "groups" | "projects";
  readonly id: number;
}

/** The user's effective role in a group or project. */
export function OwnRole({ kind, id }: OwnRoleProps) {
  const path = { id, user_id: me().id };
  const { data: member } = useAnswer(`own role ${kind} ${id}`, () =>
    answerOf(client.GET(`/api/v4/${kind}/{id}/members/all/{user_id}`, { params: { path } })),
  );
  return <>{member === undefined ? "…" : roleText(member.access_level)}</>;
}
